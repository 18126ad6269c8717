import { apiTexts } from '@candela/protocol/texts/api-texts'
import { codes } from '@candela/protocol/codes/codes'
import type { Language } from '@candela/protocol/language'

/**
 * The text of a code, for an answer without a message, as a template. Loaded when needed: the server nearly always
 * sends a message.
 */
export function messageTemplate(code: number, language: Language): string | null {
  const name = (Object.keys(codes) as (keyof typeof codes)[]).find((each) => codes[each] === code)
  return name === undefined || name === 'ok' ? null : apiTexts[language].codes[name]
}
