/** Open sheets and dialogs, so that a navigation can close what does not belong to the next screen. */
const closers = new Set<() => void>()

export function registerOverlay(close: () => void): () => void {
  closers.add(close)
  return () => closers.delete(close)
}

export function closeOverlays(): void {
  for (const close of closers) close()
}
