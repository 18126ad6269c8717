import type { Data } from '@candela/protocol/endpoints'
import type { PeriodBalance, StatementItem } from '@candela/protocol/endpoints/statement'
import type { Database } from '../../db/open.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { readFinalBefore } from '../../ledger/statement/period.ts'
import { csvLines } from './csv.ts'
import { readBalances } from './read-period.ts'
import { type Filter, PIECE, readStatement } from './read-statement.ts'

/** A later form gets another number, and this one stays as it is. */
const FORMAT = '1'

const columns = [
  'line',
  'id',
  'bookedAt',
  'valueAt',
  'kind',
  'part',
  'account',
  'asset',
  'amount',
  'balance',
  'referenceType',
  'reference',
  'counterpartyUid',
  'counterparty',
  'txHash',
]

/**
 * A final period for programs: closing balances, lines, the newest first, opening balances. The first cell says what a row is.
 * @throws AppError 400 for a cursor that is not ours, for a period without an end, or one that is not final
 */
export async function exactPiece(db: Database, memberId: bigint, filter: Filter): Promise<Data<'GET statement/csv'>> {
  const { since, before } = filter
  if (before === undefined) throw invalidInput('before', 'missing')
  const final = await readFinalBefore(db)
  if (final === null || before > final) throw invalidInput('before', 'notFinal')
  const { items, nextCursor } = await readStatement(db, memberId, filter, PIECE)
  const isFirst = filter.cursor === undefined
  const balances = isFirst || nextCursor === null ? await readBalances(db, memberId, filter, { since, before }) : []
  const rows = [
    ...(isFirst
      ? [
          ['candela-statement', FORMAT],
          ['period', since?.toISOString() ?? '', before.toISOString()],
          ...balances.map((balance) => rowOf('closing', balance)),
          columns,
        ]
      : []),
    ...items.map(cellsOf),
    ...(nextCursor === null ? [...balances.map((balance) => rowOf('opening', balance)), ['end']] : []),
  ]
  return { text: csvLines(rows), nextCursor }
}

const rowOf = (end: 'opening' | 'closing', balance: PeriodBalance): string[] => [
  end,
  balance.account,
  balance.asset,
  balance[end],
]

const cellsOf = (item: StatementItem): string[] => [
  'line',
  item.id,
  item.bookedAt,
  item.at,
  item.kind,
  item.isFee ? 'fee' : '',
  item.account,
  item.asset,
  item.amount,
  item.balance,
  item.reference?.type ?? '',
  item.reference?.no ?? '',
  item.counterparty?.uid ?? '',
  item.counterparty?.maskedAddress ?? '',
  item.txHash ?? '',
]
