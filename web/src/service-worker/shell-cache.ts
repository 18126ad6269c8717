/**
 * The app's own files, kept so that it opens without a connection. Nothing of the API is ever kept: what an account has is
 * shown as the server says it now, or not at all.
 */

import { tryAgain, type TryAgainParts } from '../lib/try-again.ts'

/** The name of each cache of ours begins so. */
const PREFIX = 'candela-shell-'
const PAGE = '/'
/** How long a page is waited for while one is kept, in milliseconds. */
const PAGE_PATIENCE_MS = 4_000

export type ShellCacheParts = TryAgainParts & {
  caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'match'>
  fetch: (request: string | Request) => Promise<Response>
  /** The files of this build that every page needs, as paths. */
  files: readonly string[]
  /** Differs between builds. */
  version: string
}

export function createShellCache({ caches, fetch, files, version, isOnline, pause }: ShellCacheParts) {
  const name = PREFIX + version

  const kept = async (): Promise<Response | undefined> => (await caches.open(name)).match(PAGE)

  /** The present page; the kept one while the server cannot be reached, answers for nobody, or takes too long. */
  async function page(request: Request): Promise<Response> {
    const asked = fetch(request)
    const late = pause(PAGE_PATIENCE_MS).then(kept)
    const answer = await Promise.race([asked, late]).catch(() => undefined)
    if (answer !== undefined && answer.status < 500) return answer
    return (await kept()) ?? asked
  }

  /**
   * A file whose name changes with its content: once fetched it is never asked for again. One that was lost is tried again here,
   * because many browsers remember for a page that a file was lost.
   */
  async function asset(request: Request): Promise<Response> {
    const known = await caches.match(request)
    if (known !== undefined) return known
    const answer = await tryAgain(() => fetch(request), { isOnline, pause })
    if (answer.status === 200) {
      const copy = answer.clone()
      await (await caches.open(name)).put(request, copy).catch(() => undefined)
    }
    return answer
  }

  return {
    /** Rejects when a file could not be fetched: then the build before this one stays. */
    install: async (): Promise<void> => (await caches.open(name)).addAll([PAGE, ...files]),
    /** Removes what earlier builds have kept. */
    async activate(): Promise<void> {
      const others = (await caches.keys()).filter((each) => each.startsWith(PREFIX) && each !== name)
      await Promise.all(others.map((each) => caches.delete(each)))
    },
    /** Null: the request is none of ours and goes to the network as if there were nothing here. */
    answer(request: Request, origin: string): Promise<Response> | null {
      const url = new URL(request.url)
      if (request.method !== 'GET' || url.origin !== origin) return null
      if (request.mode === 'navigate') return url.pathname === PAGE ? page(request) : null
      return url.pathname.startsWith('/assets/') ? asset(request) : null
    },
  }
}
