/** The terms that an operator signs: one command, exactly, for this installation, once. */
export type Terms = {
  /** Installation, chain and contract: see `readService`. */
  service: string
  operator: string
  /** The number of this command among the operator's, from 1 on, without a gap. */
  number: bigint
  /** The command's own words, such as "plan close". */
  command: string
  input: Readonly<Record<string, unknown>>
  at: Date
}

export type SignedTerms = { terms: Terms; signature: string }

/** The text under the signature. Different terms never give the same text: each part has its line, and JSON has no line breaks. */
export function textOf({ service, operator, number, command, input, at }: Terms): string {
  return [
    'Candela operator command',
    `service: ${service}`,
    `operator: ${operator}`,
    `number: ${number}`,
    `command: ${command}`,
    `input: ${canonicalJson(input)}`,
    `time: ${at.toISOString()}`,
  ].join('\n')
}

/** JSON with sorted names, so that the database may store it in its own order. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, withSortedNames)

const withSortedNames = (_key: string, part: unknown): unknown =>
  typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : part
