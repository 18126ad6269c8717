import { lazy } from 'react'
import type { Screens } from '../app/outlet.tsx'
import { Home } from './index/home.tsx'

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
  list: () => import('./list/list.tsx'),
  incomeList: () => import('./income-list/income-list.tsx'),
  hashList: () => import('./hash-list/hash-list.tsx'),
  transfer: () => import('./transfer/transfer.tsx'),
  exchange: () => import('./exchange/exchange.tsx'),
  exchangeList: () => import('./exchange-list/exchange-list.tsx'),
}

/** Brings the screens' code before they are visited, so that a lost connection does not cost the way around the app. */
export const loadScreens = (): void => {
  // A screen whose code did not come is asked for again when it is visited.
  for (const load of Object.values(code)) load().catch(() => undefined)
}

const Coming = lazy(code.coming)

/** Home comes with the first load; every other screen with its first visit, or when there is time after a sign-in. */
export const screens: Screens = {
  '/index': Home,
  '/computing': lazy(code.computing),
  '/order': lazy(code.order),
  '/invitation': lazy(code.invitation),
  '/mine': lazy(code.mine),
  '/list': lazy(code.list),
  '/transfer': lazy(code.transfer),
  '/exchange': lazy(code.exchange),
  '/exchangeList': lazy(code.exchangeList),
  '/hashList': lazy(code.hashList),
  '/deposit': lazy(code.deposit),
  '/withdrawal': lazy(code.withdrawal),
  '/incomeList': lazy(code.incomeList),
  '/statement': lazy(code.statement),
  '/notices': lazy(code.notices),
  '/devices': lazy(code.devices),
  '/lever': Coming,
  '/lending': Coming,
  '/finance': Coming,
  '/project': Coming,
}
