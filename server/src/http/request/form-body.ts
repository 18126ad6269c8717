import { parse } from 'fast-querystring'

/** More fields than the largest form has, several times over. */
const MOST_FIELDS = 100
const AMPERSAND = 0x26

/** The fields of a form; a name that comes again has a list. Null for a form with more fields than anybody needs. */
export function readForm(body: Buffer): Record<string, unknown> | null {
  let fields = 1
  for (let at = body.indexOf(AMPERSAND); at !== -1; at = body.indexOf(AMPERSAND, at + 1)) fields += 1
  return fields > MOST_FIELDS ? null : parse(body.toString())
}
