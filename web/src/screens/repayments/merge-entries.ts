import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'

export type Entry = Data<'GET lending/entries'>['items'][number]

/** The posting that an entry belongs to: its id is that of the posting with a line number. */
const postingOf = ({ id }: Entry): string => id.slice(0, id.lastIndexOf('-'))

/**
 * Merges what one posting changed of one part of a loan into one entry: interest goes to the fund and to the reserve, which is one
 * payment for the one who pays it. Entries are newest first, so the first one has the balance that is left.
 */
export function mergeEntries(entries: readonly Entry[]): Entry[] {
  const merged: Entry[] = []
  for (const entry of entries) {
    const at = merged.findIndex((other) => postingOf(other) === postingOf(entry) && other.part === entry.part)
    const known = merged[at]
    if (known === undefined) merged.push(entry)
    else merged[at] = { ...known, amount: fromBaseUnits(toBaseUnits(known.amount) + toBaseUnits(entry.amount)) }
  }
  return merged
}
