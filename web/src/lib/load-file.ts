import { tryAgain } from './try-again.ts'

const parts = {
  isOnline: () => navigator.onLine,
  pause: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * Loads the file that `load`, an `import()`, brings. A file that was lost is asked for again: by the service worker where one answers
 * for this page, else here. Many browsers remember that a file was lost; without a service worker only a reload of the page helps
 * there. Rejects with the last error.
 */
export function loadFile<File>(load: () => Promise<File>): Promise<File> {
  // A browser may know none, as in a private window or in a wallet.
  if ('serviceWorker' in navigator && navigator.serviceWorker.controller !== null) return load()
  let attempt = load
  return tryAgain(() => {
    const loaded = attempt()
    attempt = () => loadLostStyles().then(load)
    return loaded
  }, parts)
}

/** Asks again for style sheets that were lost. When the file that needs them is asked for again, the bundler takes them for loaded. */
function loadLostStyles(): Promise<unknown> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')
  return Promise.all([...links].filter(({ sheet }) => sheet === null).map(loadStyle))
}

const loadStyle = (lost: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const link = lost.cloneNode() as HTMLLinkElement
    link.addEventListener('load', resolve)
    link.addEventListener('error', () => reject(new Error(`The style sheet ${link.href} did not come`)))
    lost.replaceWith(link)
  })
