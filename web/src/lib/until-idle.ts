/** At the latest after this many milliseconds: a page that is never idle gets what it waits for as well. */
const MAX_WAIT_MS = 1_000

/** Resolves when the browser has nothing else to do and is not known to be offline: for what no person waits for. */
export async function untilIdle(): Promise<void> {
  if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
  await new Promise<void>((resolve) => {
    // Safari cannot say when it is idle: there it is the next turn.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: MAX_WAIT_MS })
    else setTimeout(resolve)
  })
}
