import { HOME, type Path, type RouteMeta, routes } from './routes.ts'

/**
 * Where a navigation may go: without a session token only home. An error inside the check must never lock a person out
 * of the app, so it is ignored and the navigation proceeds, unless the route's `auth` forbids that; the API still refuses what
 * needs a session.
 */
export function guard(
  target: Path,
  readToken: () => string,
  table: Readonly<Record<Path, Pick<RouteMeta, 'auth'>>> = routes,
): Path {
  try {
    return target !== HOME && readToken() === '' ? HOME : target
  } catch {
    return table[target].auth ? HOME : target
  }
}
