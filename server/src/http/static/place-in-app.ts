import type { FastifyRequest } from 'fastify'

/** Not for people: calls, and what the page itself loads. */
const NOT_FOR_PEOPLE = /^\/(?:api|assets|docs|healthz|readyz|metrics)(?:[/?]|$)/

/**
 * Where somebody is led who opens a path that there is not: into the app, with what the path says after an encoded `#`, as messengers and
 * mail programs write it. Null for whoever asks for something else than a page.
 */
export function placeInApp({
  method,
  url,
  headers,
}: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): string | null {
  const wantsPage = headers.accept?.includes('text/html') === true
  if (method !== 'GET' || !wantsPage || NOT_FOR_PEOPLE.test(url)) return null
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  const [, hash] = /^\/%23(.*)$/is.exec(url) ?? []
  // It begins with the app's own path, so that it never leads to another host.
  return hash === undefined ? `/${query}` : `/#${decoded(hash)}`
}

function decoded(text: string): string {
  try {
    return encodeURI(decodeURIComponent(text))
  } catch {
    return text
  }
}
