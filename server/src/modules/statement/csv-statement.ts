import type { Data } from '@candela/protocol/endpoints'
import type { StatementItem } from '@candela/protocol/endpoints/statement'
import type { Language } from '@candela/protocol/language'
import { memberPostingKinds } from '@candela/protocol/posting-kinds'
import type { Database } from '../../db/open.ts'
import { csvLines } from './csv.ts'
import { type Filter, readStatement } from './read-statement.ts'

/** Lines in one piece: some ten kilobytes, which keep nobody else waiting. */
const PIECE = 400

/** Byte order mark: without it, some spreadsheets take the file for one in their country's old encoding. */
const BYTE_ORDER_MARK = '\uFEFF'

const headings: Record<Language, readonly string[]> = {
  zh: ['时间（UTC）', '类型', '账户', '资产', '金额', '余额', '单号', '对方', '交易哈希'],
  tw: ['時間（UTC）', '類型', '帳戶', '資產', '金額', '餘額', '單號', '對方', '交易雜湊'],
  en: ['Time (UTC)', 'Kind', 'Account', 'Asset', 'Amount', 'Balance', 'Number', 'Counterparty', 'Transaction'],
}

const accounts: Record<StatementItem['account'], Record<Language, string>> = {
  available: { zh: '可用', tw: '可用', en: 'Available' },
  held: { zh: '冻结', tw: '預留', en: 'Set aside' },
}

/** A piece of the statement as a file's text; the pieces put together are the file. @throws AppError 400 for a cursor */
export async function csvStatement(
  db: Database,
  memberId: bigint,
  filter: Filter,
  lang: Language,
): Promise<Data<'GET statement/csv'>> {
  const { items, nextCursor } = await readStatement(db, memberId, filter, PIECE)
  const lines = csvLines(items.map((item) => cellsOf(item, lang)))
  const text = filter.cursor === undefined ? `${BYTE_ORDER_MARK}${csvLines([headings[lang]])}${lines}` : lines
  return { text, nextCursor }
}

const cellsOf = (item: StatementItem, lang: Language): string[] => [
  item.at,
  memberPostingKinds[item.kind][lang],
  accounts[item.account][lang],
  item.asset,
  item.amount,
  item.balance,
  item.reference?.no ?? '',
  item.counterparty === null ? '' : `${item.counterparty.uid} ${item.counterparty.maskedAddress}`,
  item.txHash ?? '',
]
