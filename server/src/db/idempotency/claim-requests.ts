import { sql } from 'kysely'
import { queryRows } from '../query-rows.ts'
import { z } from 'zod'
import { inputHashOf, type IdempotentCall } from './run-idempotent.ts'
import type { Tx } from '../open.ts'

const claimedRow = z.object({ member_id: z.bigint(), request_id: z.string() })

/**
 * Claims many request ids at once, each with the result that is remembered for it. Tells per call, in order, whether it
 * is the first with its id; ids that another transaction is claiming are waited for. No id may occur twice in the list.
 */
export async function claimRequests(
  tx: Tx,
  calls: readonly (IdempotentCall & { result: object })[],
): Promise<boolean[]> {
  const rows = await queryRows(
    tx,
    claimedRow,
    sql`
    insert into request_log (member_id, request_id, endpoint, input_hash, result, created_at)
    select member_id, request_id, endpoint, decode(input_hash, 'hex'), result::jsonb, created_at
    from unnest(${calls.map(({ memberId }) => memberId)}::bigint[], ${calls.map(({ requestId }) => requestId)}::text[],
      ${calls.map(({ endpoint }) => endpoint)}::text[], ${calls.map(({ input }) => inputHashOf(input).toString('hex'))}::text[],
      ${calls.map(({ result }) => JSON.stringify(result))}::text[],
      ${calls.map(({ now }) => now.toISOString())}::timestamptz[])
      as call(member_id, request_id, endpoint, input_hash, result, created_at)
    -- In one order, so that two batches that share ids never wait for each other in a circle.
    order by member_id, request_id
    on conflict (member_id, request_id) do nothing
    returning member_id, request_id`,
  )
  const claimed = new Set(rows.map(({ member_id, request_id }) => `${member_id} ${request_id}`))
  return calls.map(({ memberId, requestId }) => claimed.has(`${memberId} ${requestId}`))
}

/** Lets go of ids that this transaction claimed: what failed is not remembered. */
export async function releaseRequests(
  tx: Tx,
  calls: readonly Pick<IdempotentCall, 'memberId' | 'requestId'>[],
): Promise<void> {
  if (calls.length === 0) return
  await sql`
    delete from request_log r
    using unnest(${calls.map(({ memberId }) => memberId)}::bigint[], ${calls.map(({ requestId }) => requestId)}::text[])
      as call(member_id, request_id)
    where r.member_id = call.member_id and r.request_id = call.request_id`.execute(tx)
}
