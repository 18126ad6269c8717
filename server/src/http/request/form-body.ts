import { parse } from 'fast-querystring'

/** Several times as many fields as the largest form has. */
const MAX_FIELDS = 100
const AMPERSAND = 0x26

/** The fields of a form; a name that comes again has a list. Null for a form with more than `MAX_FIELDS` fields. */
export function readForm(body: Buffer): Record<string, unknown> | null {
  let fields = 1
  for (let at = body.indexOf(AMPERSAND); at !== -1; at = body.indexOf(AMPERSAND, at + 1)) fields += 1
  return fields > MAX_FIELDS ? null : parse(body.toString())
}
