import { apiTexts } from '../texts/api-texts.ts'
import type { MessageParams } from './codes.ts'
import type { Key } from '../endpoints.ts'
import { fillMessage } from './fill-message.ts'
import { type InputProblem, inputProblems } from './problems.ts'
import type { Language } from '../language.ts'

/** The label of an input field; undefined for an unknown field. `key` is the endpoint, where one was called. */
export function fieldName(field: string, lang: Language, key?: Key): string | undefined {
  const { fields, placedFields }: Record<'fields' | 'placedFields', Readonly<Record<string, string>>> = apiTexts[lang]
  return placedFields[`${key} ${field}`] ?? fields[field]
}

/** Names of a refusal that are no input fields: nobody typed these. */
const notFields: ReadonlySet<unknown> = new Set(['envelope', 'request'])

const isProblem = (text: unknown): text is InputProblem => (inputProblems as readonly unknown[]).includes(text)

/**
 * The message of code 400: which field, and what is wrong with it. `key` is the endpoint that was called, where one
 * was. For a reason that is not in the table the message is "not in the right form".
 */
export function inputMessage({ field, reason }: MessageParams, lang: Language, key?: Key): string {
  const problem = notFields.has(field) ? 'notAccepted' : reason
  const name = typeof field === 'string' ? fieldName(field, lang, key) : undefined
  const { codes, problems } = apiTexts[lang]
  const said = isProblem(problem) ? problems[problem] : codes.invalidInput
  // Without a label for the field, a text that contains the label cannot be used.
  const wanted = said.includes('{field}') && name === undefined ? codes.invalidInput : said
  return fillMessage(wanted, name === undefined ? {} : { field: name })
}

/** The part that the server needs of an issue of a schema. */
type Issue = { code: string; message: string; input?: unknown }

/** The reason that fits what a schema found wrong with a field that was sent as `sent`. */
export function problemOf({ code, message }: Issue, sent: unknown): InputProblem | undefined {
  if (sent === undefined || sent === '') return 'missing'
  if (isProblem(message)) return message
  if (code === 'too_big') return 'tooLong'
  return code === 'invalid_value' ? 'notAChoice' : undefined
}
