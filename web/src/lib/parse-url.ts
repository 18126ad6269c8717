/** A URL; null for a text that is none. (`URL.canParse` came with Chromium 120.) */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
