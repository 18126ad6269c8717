import { exchange, income, reserve } from './formulas.ts'
import { fund } from './fund.ts'
import { blockDay, late, latePayment, lines, payingEarly, payoffs, schedule } from './loans.ts'
import { deficit, full, leverage, partial, shortDesk } from './sales.ts'

/** Documents with places for tables. */
export const documents = ['docs/understand/lending.md', 'docs/reference/formulas.md'] as const

/** The tables of all documents by the names of their places. */
export const tables: Readonly<Record<string, () => string>> = {
  payoffs,
  lines,
  schedule,
  'paying-early': payingEarly,
  late,
  'late-payment': latePayment,
  'block-day': blockDay,
  partial,
  'short-desk': shortDesk,
  full,
  deficit,
  leverage,
  fund,
  income,
  exchange,
  reserve,
}

const PLACE = /(<!-- figures: ([a-z-]+) -->\n)[\s\S]*?(\n<!-- end -->)/g

/** The names of the places, in their order. */
export const placesIn = (document: string): string[] => [...document.matchAll(PLACE)].map(([, , name = '']) => name)

/**
 * The document with every table computed anew; what is around the tables stays.
 * @throws RangeError for a place that no table belongs to
 */
export const fillFigures = (document: string): string =>
  document.replaceAll(PLACE, (_, begin: string, name: string, end: string) => {
    const figures = tables[name]
    if (figures === undefined) throw new RangeError(`a document has a place for unknown figures: ${name}`)
    return `${begin}\n${figures()}\n${end}`
  })
