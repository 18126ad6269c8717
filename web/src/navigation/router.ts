import { createStore } from '../lib/store.ts'
import { closeOverlays } from '../ui/overlay/overlays.ts'
import { HOME, isPath, type Path } from './routes.ts'

/** Where the app is. `query` is what stands after "?" inside the hash, as in `#/index?code=CANDELA1`. */
export type Place = { path: Path; query: Readonly<Record<string, string>> }

/** The part of the browser that a router needs, so that tests can bring their own. */
export type HashHistory = {
  hash: () => string
  /** How many places lie before this one, as it was written beside it; null for one that the app has not opened. */
  position: () => number | null
  push: (hash: string, position: number) => void
  replace: (hash: string, position: number) => void
  /** Runs on back, forward and edits in the address bar. */
  onChange: (listener: () => void) => void
}

/** Reads "#/order?no=AB12". "/", nothing at all and unknown paths are home. */
export function parseHash(hash: string): Place {
  const [pathText = '', queryText = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  const path = `/${pathText
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`
  return { path: isPath(path) ? path : HOME, query: Object.fromEntries(new URLSearchParams(queryText)) }
}

export function formatHash({ path, query }: Place): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? `#${path}` : `#${path}?${text}`
}

export type Router = ReturnType<typeof createRouter>

/** In the query of a place: where somebody wanted to go whom the guard sent here. */
const NEXT = 'next'
/** In the query of a link: the code of whoever invites. */
const INVITATION = 'code'

/** `allow` is the guard: it gets each wanted path and answers with the one to go to. */
export function createRouter(history: HashHistory, allow: (target: Path) => Path) {
  const arrivals = new Set<(place: Place, refusedPath: Path | null) => void>()

  const applyGuard = (wanted: Place): { place: Place; isRefused: boolean } => {
    const path = allow(wanted.path)
    if (path === wanted.path) return { place: wanted, isRefused: false }
    // In the address, so that it also survives a reload and the way into another browser.
    // An invitation code is on the device by then, and would be taken again from the address that the sign-in goes on to.
    const query = Object.fromEntries(Object.entries(wanted.query).filter(([name]) => name !== INVITATION))
    return { place: { path, query: { [NEXT]: formatHash({ path: wanted.path, query }).slice(1) } }, isRefused: true }
  }

  const first = applyGuard(parseHash(history.hash())).place
  const store = createStore<Place>(first)
  let pushed = 0
  let position = history.position() ?? 0
  history.replace(formatHash(first), position)

  const arrive = (wanted: Place, write: 'push' | 'replace') => {
    const { place, isRefused } = applyGuard(wanted)
    if (write === 'push') {
      position += 1
      pushed += 1
    }
    history[write](formatHash(place), position)
    store.set(place)
    for (const listener of arrivals) listener(place, isRefused ? wanted.path : null)
  }

  history.onChange(() => {
    const now = history.position()
    // As the button of a phone does elsewhere: it takes away what lies over the screen, and the screen stays.
    if (now !== null && now < position && closeOverlays()) return history.push(formatHash(store.get()), position)
    position = now ?? position + 1
    arrive(parseHash(history.hash()), 'replace')
  })

  return {
    place: { get: store.get, subscribe: store.subscribe },
    go(path: Path, query: Place['query'] = {}): void {
      const same = formatHash({ path, query }) === history.hash()
      arrive({ path, query }, same ? 'replace' : 'push')
    },
    /** After a sign-in: on to the place that the guard had refused, if there is one. */
    goOn(): void {
      const wanted = store.get().query[NEXT]
      if (wanted !== undefined) arrive(parseHash(wanted), 'replace')
    },
    replace: (path: Path, query: Place['query'] = {}): void => arrive({ path, query }, 'replace'),
    /** True once this page has pushed a place, so that "back" stays inside the app. */
    cameFromInside: (): boolean => pushed > 0,
    /** Runs after every navigation, with the path that the guard refused if it did. */
    onArrival(listener: (place: Place, refusedPath: Path | null) => void): () => void {
      arrivals.add(listener)
      return () => arrivals.delete(listener)
    },
  }
}

export const browserHistory: HashHistory = {
  hash: () => window.location.hash,
  position: () => (window.history.state as { position?: number } | null)?.position ?? null,
  push: (hash, position) => window.history.pushState({ position }, '', hash),
  replace: (hash, position) => window.history.replaceState({ position }, '', hash),
  onChange: (listener) => window.addEventListener('hashchange', listener),
}
