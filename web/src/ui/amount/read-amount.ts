import { MAX_INPUT_AMOUNT, parseAmount } from '@candela/protocol/money/money'
import { ASSET_DECIMALS } from '@candela/protocol/units'
import type { PlainKey } from '../../i18n/translate.ts'

/** Why what was typed is not taken as an amount; `amountProblemKeys` has the words. */
export type AmountProblem =
  | 'empty'
  | 'notANumber'
  | 'negative'
  | 'separators'
  | 'tooManyDecimals'
  | 'notWhole'
  | 'tooLarge'
  | 'zero'
  | 'notEnough'

export const amountProblemKeys = {
  empty: 'amount.empty',
  notANumber: 'amount.notANumber',
  negative: 'amount.negative',
  separators: 'amount.separators',
  tooManyDecimals: 'amount.tooManyDecimals',
  notWhole: 'amount.notWhole',
  tooLarge: 'amount.tooLarge',
  zero: 'amount.zero',
  notEnough: 'amount.notEnough',
} as const satisfies Record<AmountProblem, PlainKey>

type Options = {
  /** Decimals that may be typed: 18, or 0 where only whole units are taken. The result is in base units either way. */
  decimals?: number
  /** In base units: more than this is `notEnough`. */
  max?: bigint
}

/**
 * Reads what a person typed or pasted into base units (18 decimals), exactly or not at all: a comma may stand for
 * thousands or for decimals, so it is never guessed at. Full-width digits, and the full stop that Chinese input methods
 * put where a point was meant, can only mean one thing and are read.
 */
export function readAmount(
  text: string,
  { decimals = 18, max }: Options = {},
): { amount: bigint } | { problem: AmountProblem } {
  const typed = plainCharacters(text)
  if (typed === '') return { problem: 'empty' }
  if (/^[-−－]\s*[0-9.]/.test(typed)) return { problem: 'negative' }
  const match = /^([0-9]*)(?:\.([0-9]*))?$/.exec(typed)
  const [, whole = '', fraction = ''] = match ?? []
  if (whole === '' && fraction === '') return { problem: GROUPED.test(typed) ? 'separators' : 'notANumber' }
  if (fraction.length > decimals) return { problem: decimals === 0 ? 'notWhole' : 'tooManyDecimals' }
  const digits = whole.replace(/^0+/, '') || '0'
  if (digits.length > 78) return { problem: 'tooLarge' }
  const parsed = parseAmount(fraction === '' ? digits : `${digits}.${fraction}`, ASSET_DECIMALS, MAX_INPUT_AMOUNT)
  if (!parsed.ok) return { problem: parsed.problem }
  if (parsed.amount === 0n) return { problem: 'zero' }
  return max !== undefined && parsed.amount > max ? { problem: 'notEnough' } : { amount: parsed.amount }
}

/**
 * Lists what a text with separators may mean, as texts that `readAmount` takes: "1,234" is 1234 or 1.234, "1.234,5" only 1234.5. For
 * the person to choose from; nothing is ever chosen for them.
 */
export function amountReadings(text: string): string[] {
  const typed = plainCharacters(text).replace(/[\s'’_]/g, ' ')
  const readings = STYLES.filter(({ style }) => style.test(typed)).map(({ point }) =>
    typed.replace(/[^0-9]/g, (mark) => (mark === point ? '.' : '')),
  )
  return [...new Set(readings.map((reading) => reading.replace(/^\./, '0.')))].filter(
    (reading) => 'amount' in readAmount(reading),
  )
}

/** Digits with something between them that people use to group by thousands or to mark decimals. */
const GROUPED = /^[0-9][0-9.,\s'’_]*[0-9]$|^[0-9]*,[0-9]*$/

/** Ways to write an amount, and which of their characters marks the decimals. */
const STYLES = [
  { style: /^[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$/, point: '.' },
  { style: /^[0-9]{1,3}(?: [0-9]{3})+(?:\.[0-9]+)?$/, point: '.' },
  { style: /^[0-9]{1,3}(?:,[0-9]{2})*,[0-9]{3}(?:\.[0-9]+)?$/, point: '.' },
  { style: /^[0-9]{1,3}(?:\.[0-9]{3}){2,}$/, point: '' },
  { style: /^[0-9]{1,3}(?:[. ][0-9]{3})*,[0-9]+$/, point: ',' },
  { style: /^[0-9]*,[0-9]+$/, point: ',' },
]

/**
 * Only characters with one meaning are replaced. Unicode's own folding would turn "1²" into "12".
 * @returns without the spaces around it, among them those that pages put around figures
 */
const plainCharacters = (text: string): string =>
  withoutSpaces(text)
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[．。｡]/g, '.')
    .replace(/，/g, ',')

/** A pattern for the spaces at the end would look at a long run of others from each of its characters on. */
function withoutSpaces(text: string): string {
  const isSpace = (at: number) => /[\s\u200b]/.test(text.charAt(at))
  let [begin, end] = [0, text.length]
  while (begin < end && isSpace(begin)) begin += 1
  while (end > begin && isSpace(end - 1)) end -= 1
  return text.slice(begin, end)
}
