import { HOME } from './routes.ts'
import type { Path } from './routes.ts'

/**
 * Where a navigation may go: without a session token only home. An error inside the check must never lock a person out
 * of the app, so it is ignored and the navigation proceeds; the API still refuses what needs a session.
 */
export function guard(target: Path, readToken: () => string): Path {
  try {
    return target !== HOME && readToken() === '' ? HOME : target
  } catch {
    return target
  }
}
