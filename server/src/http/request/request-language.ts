import type { IncomingHttpHeaders } from 'node:http'
import { type Language, languageFromHeader } from '@candela/protocol/language'

/** The language of the LANG header, or the default one. */
export function requestLanguage(headers: IncomingHttpHeaders): Language {
  const header = headers['lang']
  return languageFromHeader(typeof header === 'string' ? header : undefined)
}
