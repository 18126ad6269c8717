import { ApiError, TransportError } from '@candela/client/errors'

/** How much of an error is told, in characters: enough to find it by. */
const DETAIL_LENGTH = 120

/** So long nothing more is told after an error was, in milliseconds: one that comes with every second would hide the page. */
const QUIET_MS = 30_000

type Page = {
  location: { origin: string }
  addEventListener(kind: 'error', listener: (event: { error?: unknown }) => void): void
  addEventListener(kind: 'unhandledrejection', listener: (event: { reason?: unknown }) => void): void
}

/**
 * Tells of errors of the app's own code that nothing has handled, so that no tap ends in silence. What extensions and wallets have put into
 * the page fails on its own; refusals of the server and lost connections have been said where they came.
 */
export function tellUncaught(page: Page, tell: (detail: string) => void, now: () => number = Date.now): void {
  let toldAt = -Infinity
  const look = (error: unknown) => {
    if (!isOurs(error, page.location.origin) || now() - toldAt < QUIET_MS) return
    toldAt = now()
    tell(String(error).slice(0, DETAIL_LENGTH))
  }
  page.addEventListener('error', ({ error }) => look(error))
  page.addEventListener('unhandledrejection', ({ reason }) => look(reason))
}

function isOurs(error: unknown, origin: string): boolean {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof TransportError) return false
  if (error.name === 'AbortError') return false
  return error.stack?.includes(`${origin}/assets/`) === true
}
