import { createShellCache } from './shell-cache.ts'
import { ACTIVATE } from './messages.ts'

/** The part of a service worker's globals that is used here; the library with all of them contradicts that of pages. */
type Worker = {
  location: { origin: string }
  navigator: { onLine: boolean }
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
  addEventListener(
    kind: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<void>): void }) => void,
  ): void
  addEventListener(
    kind: 'fetch',
    listener: (event: { request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void
  addEventListener(kind: 'message', listener: (event: { data: unknown }) => void): void
}

/** Put in by the build. */
declare const SHELL_FILES: readonly string[]
declare const SHELL_VERSION: string

const worker = globalThis as unknown as Worker
const shell = createShellCache({
  caches,
  fetch: (request) => fetch(request),
  files: SHELL_FILES,
  version: SHELL_VERSION,
  isOnline: () => worker.navigator.onLine,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

worker.addEventListener('install', (event) => event.waitUntil(shell.install()))
worker.addEventListener('activate', (event) => event.waitUntil(shell.activate().then(() => worker.clients.claim())))
worker.addEventListener('fetch', (event) => {
  const answer = shell.answer(event.request, worker.location.origin)
  if (answer !== null) event.respondWith(answer)
})
// A page of the build before it would miss files, so a new one waits until somebody agrees to reload.
worker.addEventListener('message', ({ data }) => data === ACTIVATE && void worker.skipWaiting())
