import { lazyScreen, loadWhenIdle, type Screens } from '../navigation/lazy-screen.ts'
import { loanTexts } from '../lending/texts.ts'
import { paymentTexts } from '../payment/texts.ts'
import { proofTexts } from '../proof/texts.ts'
import { amountTexts } from '../ui/amount/texts.ts'
import { chartTexts } from '../ui/chart/texts.ts'
import { keepTexts } from '../ui/keep/texts.ts'
import { computingTexts } from './computing/texts.ts'
import { depositTexts } from './deposit/texts.ts'
import { devicesTexts } from './devices/texts.ts'
import { exchangeTexts } from './exchange/texts.ts'
import { financeTexts } from './finance/texts.ts'
import { Home } from './home/home.tsx'
import { incomeListTexts } from './income-list/texts.ts'
import { invitationTexts } from './invitation/texts.ts'
import { lendingTexts } from './lending/texts.ts'
import { leverTexts } from './lever/texts.ts'
import { mineTexts } from './mine/texts.ts'
import { noticesTexts } from './notices/texts.ts'
import { orderTexts } from './order/texts.ts'
import { powerLogTexts } from './power-log/texts.ts'
import { projectTexts } from './project/texts.ts'
import { rankingTexts } from './ranking/texts.ts'
import { repaymentsTexts } from './repayments/texts.ts'
import { solvencyTexts } from './solvency/texts.ts'
import { statementTexts } from './statement/texts.ts'
import { transferTexts } from './transfer/texts.ts'
import { withdrawalTexts } from './withdrawal/texts.ts'

/** A text that a screen shows and that is neither listed here nor in the first load fails `catalogs.test.ts`. */
const files = {
  computing: { code: () => import('./computing/computing.tsx'), texts: [computingTexts, paymentTexts] },
  order: { code: () => import('./order/order.tsx'), texts: [orderTexts, paymentTexts] },
  invitation: { code: () => import('./invitation/invitation.tsx'), texts: [invitationTexts] },
  statement: { code: () => import('./statement/statement.tsx'), texts: [keepTexts, statementTexts] },
  notices: { code: () => import('./notices/notices.tsx'), texts: [noticesTexts] },
  devices: { code: () => import('./devices/devices.tsx'), texts: [devicesTexts] },
  deposit: { code: () => import('./deposit/deposit.tsx'), texts: [amountTexts, depositTexts, paymentTexts] },
  withdrawal: {
    code: () => import('./withdrawal/withdrawal.tsx'),
    texts: [amountTexts, paymentTexts, withdrawalTexts],
  },
  mine: { code: () => import('./mine/mine.tsx'), texts: [loanTexts, mineTexts] },
  list: { code: () => import('./ranking/ranking.tsx'), texts: [rankingTexts] },
  incomeList: { code: () => import('./income-list/income-list.tsx'), texts: [chartTexts, incomeListTexts] },
  hashList: { code: () => import('./power-log/power-log.tsx'), texts: [powerLogTexts] },
  transfer: {
    code: () => import('./transfer/transfer.tsx'),
    texts: [amountTexts, paymentTexts, transferTexts],
  },
  exchange: { code: () => import('./exchange/exchange.tsx'), texts: [amountTexts, exchangeTexts] },
  finance: { code: () => import('./finance/finance.tsx'), texts: [amountTexts, chartTexts, loanTexts, financeTexts] },
  project: { code: () => import('./project/project.tsx'), texts: [amountTexts, loanTexts, projectTexts] },
  lever: { code: () => import('./lever/lever.tsx'), texts: [amountTexts, loanTexts, leverTexts] },
  lending: {
    code: () => import('./lending/lending.tsx'),
    texts: [amountTexts, loanTexts, lendingTexts, paymentTexts],
  },
  repayments: { code: () => import('./repayments/repayments.tsx'), texts: [repaymentsTexts] },
  solvency: { code: () => import('./solvency/solvency.tsx'), texts: [keepTexts, proofTexts, solvencyTexts] },
  exit: { code: () => import('./exit/exit.tsx'), texts: [keepTexts, proofTexts] },
  exchangeList: { code: () => import('./exchange/exchange-list.tsx'), texts: [exchangeTexts] },
}

/** Loads the screens' code and texts before they are visited, so that the app stays usable when the connection is lost. */
export const loadScreens = (): Promise<void> => loadWhenIdle(Object.values(files))

/** Home comes with the first load; every other screen with its first visit, or when there is time after a sign-in. */
export const screens: Screens = {
  '/index': Home,
  '/computing': lazyScreen(files.computing),
  '/order': lazyScreen(files.order),
  '/invitation': lazyScreen(files.invitation),
  '/mine': lazyScreen(files.mine),
  '/list': lazyScreen(files.list),
  '/transfer': lazyScreen(files.transfer),
  '/exchange': lazyScreen(files.exchange),
  '/exchangeList': lazyScreen(files.exchangeList),
  '/hashList': lazyScreen(files.hashList),
  '/deposit': lazyScreen(files.deposit),
  '/withdrawal': lazyScreen(files.withdrawal),
  '/incomeList': lazyScreen(files.incomeList),
  '/statement': lazyScreen(files.statement),
  '/repayments': lazyScreen(files.repayments),
  '/notices': lazyScreen(files.notices),
  '/devices': lazyScreen(files.devices),
  '/solvency': lazyScreen(files.solvency),
  '/exit': lazyScreen(files.exit),
  '/lever': lazyScreen(files.lever),
  '/lending': lazyScreen(files.lending),
  '/finance': lazyScreen(files.finance),
  '/project': lazyScreen(files.project),
}
