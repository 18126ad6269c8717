import { ACTIVATE } from './messages.ts'
import { newBuild } from './new-build.ts'

/** Asked when the app comes to the front, not more often than this, in milliseconds. */
const ASK_AGAIN_MS = 60_000

/** How long a page waits for the new worker, in milliseconds: Chromium keeps the old one for minutes if a request has just restarted it. */
const REPLACE_LIMIT_MS = 5_000

const reload = (): void => window.location.reload()

/** Registers the service worker, and says when another build of the app is ready. */
export async function followBuilds(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const workers = navigator.serviceWorker
  // Without a connection the one of before goes on. A browser may forbid any, as in a private window; the app works without.
  const registration = await workers
    .register('/sw.js')
    .catch(() => workers.getRegistration())
    .catch(() => undefined)
  if (registration === undefined) return
  const offer = (): void => {
    const { waiting } = registration
    // With no older one there is nothing to replace.
    if (waiting === null || workers.controller === null) return
    newBuild.set(() => {
      // Another page of the app may have had it replace the old one already, or a newer build has come.
      if (waiting.state !== 'installed') return reload()
      waiting.addEventListener('statechange', () => waiting.state !== 'activating' && reload())
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      waiting.postMessage(ACTIVATE)
      // A reload while the old worker is kept may never end in Chromium: without a registration the page comes from the network.
      setTimeout(() => void registration.unregister().then(reload, reload), REPLACE_LIMIT_MS)
    })
  }
  const watch = (): void => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => installing.state === 'installed' && offer())
  }
  // Loading the page has the browser look for another build by itself: it may be on its way, or here, before this runs.
  offer()
  watch()
  registration.addEventListener('updatefound', watch)
  let asked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < ASK_AGAIN_MS) return
    asked = Date.now()
    registration.update().catch(() => undefined)
  })
}
