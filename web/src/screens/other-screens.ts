import type { ScreenFiles } from '../navigation/lazy-screen.ts'
import type { HOME, Path } from '../navigation/routes.ts'

/**
 * Every screen but home. A file of its own, because the names of all these files are 4 kB, which a visitor of home does not need. A text that
 * a screen shows and that is neither listed here nor in the first load fails `catalogs.test.ts`.
 */
export const otherScreens = {
  '/computing': { code: () => import('./computing/computing.tsx'), texts: ['computing', 'payment'] },
  '/order': { code: () => import('./order/order.tsx'), texts: ['order', 'payment'] },
  '/invitation': { code: () => import('./invitation/invitation.tsx'), texts: ['invitation'] },
  '/statement': { code: () => import('./statement/statement.tsx'), texts: ['keep', 'statement'] },
  '/notices': { code: () => import('./notices/notices.tsx'), texts: ['notices'] },
  '/devices': { code: () => import('./devices/devices.tsx'), texts: ['devices'] },
  '/deposit': {
    code: () => import('./deposit/deposit.tsx'),
    texts: ['amount', 'deposit', 'payment'],
  },
  '/withdrawal': {
    code: () => import('./withdrawal/withdrawal.tsx'),
    texts: ['amount', 'payment', 'withdrawal'],
  },
  '/mine': { code: () => import('./mine/mine.tsx'), texts: ['loans', 'mine'] },
  '/list': { code: () => import('./ranking/ranking.tsx'), texts: ['ranking'] },
  '/incomeList': {
    code: () => import('./income-list/income-list.tsx'),
    texts: ['chart', 'income-list'],
  },
  '/hashList': { code: () => import('./power-log/power-log.tsx'), texts: ['power-log'] },
  '/transfer': {
    code: () => import('./transfer/transfer.tsx'),
    texts: ['amount', 'payment', 'transfer'],
  },
  '/exchange': { code: () => import('./exchange/exchange.tsx'), texts: ['amount', 'exchange'] },
  '/finance': {
    code: () => import('./finance/finance.tsx'),
    texts: ['amount', 'chart', 'loans', 'finance'],
  },
  '/project': {
    code: () => import('./project/project.tsx'),
    texts: ['amount', 'loans', 'project'],
  },
  '/lever': { code: () => import('./lever/lever.tsx'), texts: ['amount', 'loans', 'lever'] },
  '/lending': {
    code: () => import('./lending/lending.tsx'),
    texts: ['amount', 'loans', 'lending', 'payment'],
  },
  '/repayments': { code: () => import('./repayments/repayments.tsx'), texts: ['repayments'] },
  '/solvency': {
    code: () => import('./solvency/solvency.tsx'),
    texts: ['keep', 'proof', 'solvency'],
  },
  '/exit': { code: () => import('./exit/exit.tsx'), texts: ['keep', 'proof'] },
  '/exchangeList': { code: () => import('./exchange/exchange-list.tsx'), texts: ['exchange'] },
} as const satisfies Record<Exclude<Path, typeof HOME>, ScreenFiles<{ path: Path }>>
