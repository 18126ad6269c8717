import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import type { ConfirmationRule } from '../../chain/crediting/confirmations.ts'
import { runIdempotent } from '../../db/idempotency/run-idempotent.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { AppError } from '../../kernel/errors.ts'
import { endUnpaid } from './change-state.ts'
import { readWithdrawals } from './read-withdrawals.ts'

const endpoint = 'POST withdraw/cancel'

/**
 * Takes back a withdrawal of the member that waits for review or in the queue: the whole amount is available again. Once for each
 * request id. Whoever signs locks the same row, so one of the two happens.
 * @throws AppError 404, 4214 once it was signed or is over, 4090 to 4092, 4212
 */
export async function cancelWithdrawal(
  { db, confirmations }: { db: Database; confirmations: ConfirmationRule },
  input: HandlerInput<typeof endpoint>,
  { memberId, now }: { memberId: bigint; now: Date },
): Promise<Data<typeof endpoint>> {
  const { withdrawalNo, requestId } = input
  return transaction(db, async (tx) => {
    const call = { memberId, requestId, endpoint, input, isFree: true, now }
    await runIdempotent(tx, call, () => takeBack(tx, { memberId, withdrawalNo }, now))
    const [found] = await readWithdrawals(tx, { memberId, withdrawalNo, limit: 1 }, confirmations)
    return { withdrawal: must(found, `withdrawal ${withdrawalNo} of a request id exists`).withdrawal }
  })
}

async function takeBack(
  tx: Tx,
  { memberId, withdrawalNo }: { memberId: bigint; withdrawalNo: string },
  now: Date,
): Promise<{ withdrawalNo: string }> {
  const row = await tx
    .selectFrom('withdrawal')
    .selectAll()
    .where('withdrawal_no', '=', withdrawalNo)
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new AppError(codes.notFound)
  if (row.state !== 'review' && row.state !== 'queued') throw new AppError(codes.withdrawalSent)
  await endUnpaid(tx, row, 'rejected', { taken_back_at: now }, now)
  return { withdrawalNo }
}
