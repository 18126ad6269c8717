import { lazyScreen, type Screens } from '../navigation/lazy-screen.ts'
import { loadDeferredTexts } from '../i18n/language.ts'
import { Home } from './home/home.tsx'

const code = {
  coming: () => import('./coming/coming.tsx'),
  computing: () => import('./computing/computing.tsx'),
  order: () => import('./order/order.tsx'),
  invitation: () => import('./invitation/invitation.tsx'),
  statement: () => import('./statement/statement.tsx'),
  notices: () => import('./notices/notices.tsx'),
  devices: () => import('./devices/devices.tsx'),
  deposit: () => import('./deposit/deposit.tsx'),
  withdrawal: () => import('./withdrawal/withdrawal.tsx'),
  mine: () => import('./mine/mine.tsx'),
  list: () => import('./ranking/ranking.tsx'),
  incomeList: () => import('./income-list/income-list.tsx'),
  hashList: () => import('./power-log/power-log.tsx'),
  transfer: () => import('./transfer/transfer.tsx'),
  exchange: () => import('./exchange/exchange.tsx'),
  exchangeList: () => import('./exchange/exchange-list.tsx'),
}

/** Loads the screens' code and texts before they are visited, so that the app stays usable when the connection is lost. */
export const loadScreens = (): void => {
  // A screen whose code did not come is asked for again when it is visited.
  for (const load of [loadDeferredTexts, ...Object.values(code)]) load().catch(() => undefined)
}

const Coming = lazyScreen(code.coming)

/** Home comes with the first load; every other screen with its first visit, or when there is time after a sign-in. */
export const screens: Screens = {
  '/index': Home,
  '/computing': lazyScreen(code.computing),
  '/order': lazyScreen(code.order),
  '/invitation': lazyScreen(code.invitation),
  '/mine': lazyScreen(code.mine),
  '/list': lazyScreen(code.list),
  '/transfer': lazyScreen(code.transfer),
  '/exchange': lazyScreen(code.exchange),
  '/exchangeList': lazyScreen(code.exchangeList),
  '/hashList': lazyScreen(code.hashList),
  '/deposit': lazyScreen(code.deposit),
  '/withdrawal': lazyScreen(code.withdrawal),
  '/incomeList': lazyScreen(code.incomeList),
  '/statement': lazyScreen(code.statement),
  '/notices': lazyScreen(code.notices),
  '/devices': lazyScreen(code.devices),
  '/lever': Coming,
  '/lending': Coming,
  '/finance': Coming,
  '/project': Coming,
}
