import { codeMessages } from '@candela/protocol/codes/code-messages'
import { codes } from '@candela/protocol/codes/codes'
import type { Language } from '@candela/protocol/language'

/** What a code means, for an answer without a message, to be filled. Loaded when one comes: the server nearly always says more. */
export function messageTemplate(code: number, language: Language): string | null {
  const name = (Object.keys(codes) as (keyof typeof codes)[]).find((each) => codes[each] === code)
  return name === undefined || name === 'ok' ? null : codeMessages[name][language]
}
