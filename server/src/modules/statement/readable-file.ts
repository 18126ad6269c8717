import type { Data } from '@candela/protocol/endpoints'
import type { StatementItem } from '@candela/protocol/endpoints/statement'
import type { Language } from '@candela/protocol/language'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { apiTexts } from '@candela/protocol/texts/api-texts'
import { ASSET_DECIMALS } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { csvLines } from './csv.ts'
import { type Filter, PIECE, readStatement } from './read-statement.ts'

/** Byte order mark: without it, some spreadsheets take the file for one in their country's old encoding. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Decimals of the column of numbers: spreadsheets keep 15 digits, so amounts up to 999,999,999 are right in it. */
const NUMBER_DECIMALS = 6

/** The sum of the lines of each asset, from the first one on. Base units. */
type Sums = Record<AssetCode, bigint>

/**
 * A piece of the statement for people and spreadsheets, in a language. The last one ends with the sum of each asset.
 * @throws AppError 400 for a cursor that is not ours
 */
export async function readablePiece(
  db: Database,
  memberId: bigint,
  { cursor, ...filter }: Filter,
  lang: Language,
): Promise<Data<'GET statement/csv'>> {
  const place = parseCursor(cursor)
  const { items, nextCursor } = await readStatement(db, memberId, { ...filter, cursor: place?.lines }, PIECE)
  const sums = place?.sums ?? { JU: 0n, USDT: 0n, HASH: 0n }
  const texts = apiTexts[lang]
  const rows = items.map((item) => cellsOf(item, lang, numberOf(item, sums)))
  const totals = assetCodes
    .filter((asset) => sums[asset] !== 0n)
    .map((asset) => [texts.csvSum, '', '', '', asset, exact(asset, fromBaseUnits(sums[asset])), rounded(sums[asset])])
  return {
    text: [
      cursor === undefined ? `${BYTE_ORDER_MARK}${csvLines([texts.csvHeadings])}` : '',
      csvLines(rows),
      nextCursor === null ? csvLines(totals) : '',
    ].join(''),
    nextCursor: nextCursor === null ? null : formatCursor(nextCursor, sums),
  }
}

const cellsOf = (item: StatementItem, lang: Language, number: string): string[] => [
  spreadsheetTime(item.bookedAt),
  spreadsheetTime(item.at),
  item.isFee ? apiTexts[lang].withdrawalFee : apiTexts[lang].postings[item.kind],
  apiTexts[lang].accounts[item.account],
  item.asset,
  exact(item.asset, item.amount),
  number,
  exact(item.asset, item.balance),
  referenceCell(item.reference),
  item.counterparty === null ? '' : `UID ${item.counterparty.uid} ${item.counterparty.maskedAddress}`,
  item.txHash ?? '',
]

/** Behind a word, spreadsheets leave all digits of an amount as they are. */
const exact = (asset: AssetCode, amount: string): string => `${asset} ${amount}`

/** A number of ours that has an E between digits would be read as a power of ten. */
const referenceCell = (reference: StatementItem['reference']): string =>
  reference === null ? '' : reference.type === 'day' ? reference.no : `No. ${reference.no}`

/** "2026-03-01 12:00:00", which spreadsheets take for a time. */
const spreadsheetTime = (iso: string): string => iso.slice(0, 19).replace('T', ' ')

/**
 * A line's amount for the column of numbers. Adds the line to the sums. The remainder of rounding is carried to the next line, so that
 * the column sums to the rounded sum.
 */
function numberOf({ asset, amount }: StatementItem, sums: Sums): string {
  const before = roundedUnits(sums[asset])
  sums[asset] += toBaseUnits(amount)
  return fromBaseUnits(roundedUnits(sums[asset]) - before, NUMBER_DECIMALS)
}

const rounded = (amount: bigint): string => fromBaseUnits(roundedUnits(amount), NUMBER_DECIMALS)

/** Half is rounded away from zero. */
function roundedUnits(amount: bigint): bigint {
  const unit = 10n ** BigInt(ASSET_DECIMALS - NUMBER_DECIMALS)
  const half = amount < 0n ? -unit / 2n : unit / 2n
  return (amount + half) / unit
}

/** The place of the next line, then the sum of each asset; "m" stands for minus. */
const formatCursor = (lines: string, sums: Sums): string =>
  [lines, ...assetCodes.map((asset) => String(sums[asset]).replace('-', 'm'))].join('_')

const cursorPattern = /^([0-9-]+)_(m?[0-9]{1,79})_(m?[0-9]{1,79})_(m?[0-9]{1,79})$/

function parseCursor(cursor: string | undefined): { lines: string; sums: Sums } | undefined {
  if (cursor === undefined) return undefined
  const [, lines, ...sums] = cursorPattern.exec(cursor) ?? []
  if (lines === undefined) throw invalidInput('cursor')
  const sumOf = (asset: AssetCode) => BigInt(sums[assetCodes.indexOf(asset)]?.replace('m', '-') ?? '0')
  return { lines, sums: { JU: sumOf('JU'), USDT: sumOf('USDT'), HASH: sumOf('HASH') } }
}
