import type { PlainKey } from '../i18n/translate.ts'

/** Metadata of a route, which the guard, the outlet and the shell obey. */
export type RouteMeta = {
  theme: 'dark' | 'light'
  title: PlainKey
  /**
   * False everywhere: the guard's check for a token is enough, and an error inside it is ignored. True would refuse such an error
   * as well.
   */
  auth: boolean
  /** Whether the screen stays as it was left. */
  keepAlive: boolean
}

const route = (title: PlainKey, theme: RouteMeta['theme'] = 'light'): RouteMeta => ({
  theme,
  title,
  auth: false,
  keepAlive: true,
})

export const routes = {
  '/index': route('route.home', 'dark'),
  '/computing': route('route.computing'),
  '/order': route('route.order'),
  '/invitation': route('route.invitation'),
  '/mine': route('route.mine'),
  '/list': route('route.list'),
  '/transfer': route('route.transfer'),
  '/exchange': route('route.exchange'),
  '/exchangeList': route('route.exchangeList'),
  '/hashList': route('route.hashList'),
  '/deposit': route('route.deposit'),
  '/withdrawal': route('route.withdrawal'),
  '/incomeList': route('route.incomeList'),
  '/statement': route('route.statement'),
  '/repayments': route('route.repayments'),
  '/notices': route('route.notices'),
  '/devices': route('route.devices'),
  '/solvency': route('route.solvency'),
  '/exit': route('route.exit'),
  '/lever': route('route.lever'),
  '/lending': route('route.lending'),
  '/finance': route('route.finance'),
  '/project': route('route.project'),
} as const satisfies Record<string, RouteMeta>

export type Path = keyof typeof routes

export const HOME = '/index' satisfies Path

/** The five entries of the header. */
export const entries = ['/index', '/lever', '/lending', '/finance', '/project'] as const satisfies readonly Path[]

export const isPath = (text: string): text is Path => Object.hasOwn(routes, text)
