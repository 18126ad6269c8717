import type { Data } from '@candela/protocol/endpoints'
import type { StatementItem } from '@candela/protocol/endpoints/statement'
import type { Language } from '@candela/protocol/language'
import { apiTexts } from '@candela/protocol/texts/api-texts'
import type { Database } from '../../db/open.ts'
import { csvLines } from './csv.ts'
import { type Filter, readStatement } from './read-statement.ts'

/** Lines in one piece: some ten kilobytes, which keep nobody else waiting. */
const PIECE = 400

/** Byte order mark: without it, some spreadsheets take the file for one in their country's old encoding. */
const BYTE_ORDER_MARK = '\uFEFF'

/** A piece of the statement as a file's text; the pieces put together are the file. @throws AppError 400 for a cursor */
export async function csvStatement(
  db: Database,
  memberId: bigint,
  filter: Filter,
  lang: Language,
): Promise<Data<'GET statement/csv'>> {
  const { items, nextCursor } = await readStatement(db, memberId, filter, PIECE)
  const lines = csvLines(items.map((item) => cellsOf(item, lang)))
  const text =
    filter.cursor === undefined ? `${BYTE_ORDER_MARK}${csvLines([apiTexts[lang].csvHeadings])}${lines}` : lines
  return { text, nextCursor }
}

const cellsOf = (item: StatementItem, lang: Language): string[] => [
  item.at,
  apiTexts[lang].postings[item.kind],
  apiTexts[lang].accounts[item.account],
  item.asset,
  item.amount,
  item.balance,
  item.reference?.no ?? '',
  item.counterparty === null ? '' : `${item.counterparty.uid} ${item.counterparty.maskedAddress}`,
  item.txHash ?? '',
]
