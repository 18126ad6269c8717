/** Pictures within so many heights of the screen from its top are loaded. */
export const PRELOAD_FACTOR = 1.3
/** How often one is asked for before its place stays without it. */
export const ATTEMPTS = 3
/** Between two looks at where the pictures are, in milliseconds. */
export const THROTTLE_MS = 200
/** Pictures that are known to load; they are shown at once where they are shown again. */
export const CACHE_SIZE = 200

export type PictureState = 'waiting' | 'loaded' | 'failed'

export type PictureLoaderDeps = {
  /** Resolves when the browser has the picture. */
  load: (url: string) => Promise<void>
  /** The height of the screen, in CSS pixels. */
  screenHeight: () => number
  schedule: (act: () => void, after_ms: number) => void
}

type Watched = { url: string; top: () => number; tell: (state: PictureState) => void }

/** Loads pictures of other servers when their places come near the screen. */
export function createPictureLoader({ load, screenHeight, schedule }: PictureLoaderDeps) {
  const waiting = new Set<Watched>()
  const loaded = new Set<string>()
  let isScheduled = false

  const remember = (url: string): void => {
    loaded.delete(url)
    loaded.add(url)
    const [oldest] = loaded
    if (loaded.size > CACHE_SIZE && oldest !== undefined) loaded.delete(oldest)
  }

  async function fetchPicture({ url, tell }: Watched): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        await load(url)
        remember(url)
        return tell('loaded')
      } catch {
        // Asked for again: a short interruption is the usual reason.
      }
    }
    tell('failed')
  }

  const look = (): void => {
    isScheduled = false
    for (const each of waiting) {
      if (each.top() > screenHeight() * PRELOAD_FACTOR) continue
      waiting.delete(each)
      void fetchPicture(each)
    }
  }

  /** To be called when something may have moved. */
  const moved = (): void => {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    schedule(look, THROTTLE_MS)
  }

  return {
    moved,
    isLoaded: (url: string): boolean => loaded.has(url),
    /** Loads a picture as soon as its place is near. @returns what ends the waiting */
    watch(watched: Watched): () => void {
      if (loaded.has(watched.url)) {
        remember(watched.url)
        watched.tell('loaded')
        return () => undefined
      }
      waiting.add(watched)
      moved()
      return () => waiting.delete(watched)
    },
  }
}
