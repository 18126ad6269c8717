import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { cursorCodec } from '../../db/cursor.ts'
import { toBaseUnits } from '@candela/protocol/money/money'
import type { Address } from 'viem'
import type { Database } from '../../db/open.ts'
import { makePage, readPage } from '../../db/page.ts'
import { type FoundDeposit, readDeposits } from './read-deposits.ts'
import { type DepositContracts, whatToSend } from './what-to-send.ts'

const endpoint = 'GET deposit/list'

/** Time, whether it was announced, and id: announcements and payments have ids of their own. */
const place = cursorCodec('time', 'flag', 'id')

type Deps = { db: Database; contracts: DepositContracts }

/**
 * Announced deposits and money that came unannounced, newest first. One that is not paid yet has the transaction that pays it, so that it
 * can be paid from any device. @throws AppError 400 for a cursor that is not ours
 */
export async function listDeposits(
  { db, contracts }: Deps,
  { depositNo, ...page }: HandlerInput<typeof endpoint>,
  memberId: bigint,
): Promise<Data<typeof endpoint>> {
  const { before, limit } = readPage(place, page)
  const behind = before && { at: before[0], announced: before[1], id: before[2] }
  const rows = await readDeposits(db, { memberId, depositNo, before: behind, limit: limit + 1 })
  const { address } = await db
    .selectFrom('member')
    .select('address')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const transactionOf = ({ state, depositNo: no, asset, amount }: FoundDeposit['deposit']) =>
    state !== 'announced' || no === null
      ? null
      : whatToSend(contracts, { asset, amount: toBaseUnits(amount), depositNo: no, customer: address as Address })
          .transaction
  return makePage(place, rows, limit, {
    place: ({ place: { at, announced, id } }) => [at, announced, id],
    toItem: ({ deposit }) => ({ ...deposit, transaction: transactionOf(deposit) }),
  })
}
