import { lazyScreen, loadWhenIdle, type Screens } from '../navigation/lazy-screen.ts'
import { Home } from './home/home.tsx'

/** A text that a screen shows and that is neither listed here nor in the first load fails `catalogs.test.ts`. */
const files = {
  computing: { code: () => import('./computing/computing.tsx'), texts: ['computing', 'payment'] },
  order: { code: () => import('./order/order.tsx'), texts: ['order', 'payment'] },
  invitation: { code: () => import('./invitation/invitation.tsx'), texts: ['invitation'] },
  statement: { code: () => import('./statement/statement.tsx'), texts: ['keep', 'statement'] },
  notices: { code: () => import('./notices/notices.tsx'), texts: ['notices'] },
  devices: { code: () => import('./devices/devices.tsx'), texts: ['devices'] },
  deposit: {
    code: () => import('./deposit/deposit.tsx'),
    texts: ['amount', 'deposit', 'payment'],
  },
  withdrawal: {
    code: () => import('./withdrawal/withdrawal.tsx'),
    texts: ['amount', 'payment', 'withdrawal'],
  },
  mine: { code: () => import('./mine/mine.tsx'), texts: ['loans', 'mine'] },
  list: { code: () => import('./ranking/ranking.tsx'), texts: ['ranking'] },
  incomeList: {
    code: () => import('./income-list/income-list.tsx'),
    texts: ['chart', 'income-list'],
  },
  hashList: { code: () => import('./power-log/power-log.tsx'), texts: ['power-log'] },
  transfer: {
    code: () => import('./transfer/transfer.tsx'),
    texts: ['amount', 'payment', 'transfer'],
  },
  exchange: { code: () => import('./exchange/exchange.tsx'), texts: ['amount', 'exchange'] },
  finance: {
    code: () => import('./finance/finance.tsx'),
    texts: ['amount', 'chart', 'loans', 'finance'],
  },
  project: {
    code: () => import('./project/project.tsx'),
    texts: ['amount', 'loans', 'project'],
  },
  lever: { code: () => import('./lever/lever.tsx'), texts: ['amount', 'loans', 'lever'] },
  lending: {
    code: () => import('./lending/lending.tsx'),
    texts: ['amount', 'loans', 'lending', 'payment'],
  },
  repayments: { code: () => import('./repayments/repayments.tsx'), texts: ['repayments'] },
  solvency: {
    code: () => import('./solvency/solvency.tsx'),
    texts: ['keep', 'proof', 'solvency'],
  },
  exit: { code: () => import('./exit/exit.tsx'), texts: ['keep', 'proof'] },
  exchangeList: { code: () => import('./exchange/exchange-list.tsx'), texts: ['exchange'] },
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
