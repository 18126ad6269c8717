/** Open sheets and dialogs, so that a navigation can close what does not belong to the next screen. */
const closers = new Set<() => void>()

export function registerOverlay(close: () => void): () => void {
  closers.add(close)
  return () => closers.delete(close)
}

let modal = 0

/** While a sheet is open the page behind it stands still (`data-sheet` on the root). @returns what ends it */
export function holdPage(): () => void {
  modal += 1
  document.documentElement.dataset['sheet'] = ''
  return () => {
    modal -= 1
    if (modal === 0) delete document.documentElement.dataset['sheet']
  }
}

/** @returns whether any was open */
export function closeOverlays(): boolean {
  const wasOpen = closers.size > 0
  for (const close of closers) close()
  return wasOpen
}
