import { lazy } from 'react'
import type { Screens } from '../app/outlet.tsx'
import { Home } from './index/home.tsx'

const Coming = lazy(() => import('./coming/coming.tsx'))

/** Home comes with the first load; every other screen with its first visit. */
export const screens: Screens = {
  '/index': Home,
  '/computing': lazy(() => import('./computing/computing.tsx')),
  '/order': lazy(() => import('./order/order.tsx')),
  '/invitation': lazy(() => import('./invitation/invitation.tsx')),
  '/mine': Coming,
  '/list': Coming,
  '/transfer': Coming,
  '/exchange': Coming,
  '/exchangeList': Coming,
  '/hashList': Coming,
  '/withdrawal': Coming,
  '/incomeList': Coming,
  '/lever': Coming,
  '/lending': Coming,
  '/finance': Coming,
  '/project': Coming,
}
