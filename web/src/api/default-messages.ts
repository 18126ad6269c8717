import { codeMessages } from '@candela/protocol/codes/code-messages'
import { codes } from '@candela/protocol/codes/codes'
import { fillMessage } from '@candela/protocol/codes/fill-message'
import type { Language } from '@candela/protocol/language'

/** What a code means, for an answer without a message. Loaded when one comes: the server nearly always says more. */
export function defaultMessage(code: number, language: Language): string | null {
  const name = (Object.keys(codes) as (keyof typeof codes)[]).find((each) => codes[each] === code)
  return name === undefined || name === 'ok' ? null : fillMessage(codeMessages[name][language], {})
}
