import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import type { Database } from '../../db/open.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { type DepositPlace, readDeposits } from './read-deposits.ts'

const endpoint = 'GET deposit/list'

/**
 * Announced deposits and money that came unannounced, newest first. The two have ids of their own, so the cursor names a
 * place in time: milliseconds, which of the two, and the id.
 * @throws AppError 400 for a cursor that we did not make
 */
export async function listDeposits(
  db: Database,
  { depositNo, cursor, limit }: HandlerInput<typeof endpoint>,
  memberId: bigint,
): Promise<Data<typeof endpoint>> {
  const before = cursor === undefined ? undefined : parsePlace(cursor)
  const rows = await readDeposits(db, { memberId, depositNo, before, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(({ deposit }) => deposit),
    nextCursor: rows.length > limit && last !== undefined ? formatPlace(last.place) : null,
  }
}

const formatPlace = ({ at, announced, id }: DepositPlace): string => `${at.getTime()}-${announced ? 1 : 0}-${id}`

function parsePlace(cursor: string): DepositPlace {
  const parts = /^([0-9]{1,15})-([01])-([1-9][0-9]{0,17})$/.exec(cursor)
  if (parts === null) throw invalidInput('cursor')
  const [, at, announced, id] = parts
  return { at: new Date(Number(at)), announced: announced === '1', id: BigInt(id ?? 0) }
}
