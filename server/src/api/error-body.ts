import { apiTexts } from '@candela/protocol/texts/api-texts'
import { codes, type ErrorName, type MessageParams } from '@candela/protocol/codes/codes'
import type { Key } from '@candela/protocol/endpoints'
import type { Body } from '@candela/protocol/envelope/envelope'
import { fillMessage } from '@candela/protocol/codes/fill-message'
import { inputMessage } from '@candela/protocol/codes/input-problems'
import type { Language } from '@candela/protocol/language'

const errorNames = new Map(
  Object.entries(codes).flatMap(([name, code]) => (name === 'ok' ? [] : [[code as number, name as ErrorName]])),
)

/**
 * Builds the body of a failure in the caller's language; codes that the table does not know become 500. With the
 * endpoint's `key` a refused field has the name that it has there.
 */
export function errorBody(code: number, params: MessageParams, lang: Language, key?: Key): Body<never> {
  const name = errorNames.get(code) ?? 'ourFault'
  const message =
    name === 'invalidInput' ? inputMessage(params, lang, key) : fillMessage(apiTexts[lang].codes[name], params)
  return { code: codes[name], message, data: null }
}

/** The end of a call's id, which is random: short enough to be read aloud, and it can be searched for in the log. */
export const referenceOf = (callId: string): string => callId.slice(-12)
