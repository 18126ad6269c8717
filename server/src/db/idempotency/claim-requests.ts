import { sql } from 'kysely'
import { queryRows } from '../query-rows.ts'
import { z } from 'zod'
import { type IdempotentCall, keysOf } from './request-keys.ts'
import type { Tx } from '../open.ts'

const claimedRow = z.object({ member_id: z.bigint(), request_key: z.string() })

/**
 * Claims many request ids at once, each with the result that is remembered for it. Tells per call, in order, whether it
 * is the first with its id; ids that another transaction is claiming are waited for. No id may occur twice in the list.
 */
export async function claimRequests(
  tx: Tx,
  calls: readonly (IdempotentCall & { result: object })[],
): Promise<boolean[]> {
  const keys = calls.map(keysOf)
  const rows = await queryRows(
    tx,
    claimedRow,
    sql`
    insert into request_log (member_id, request_key, input_key, result, created_at)
    select member_id, request_key, input_key, result::jsonb, created_at
    from unnest(${calls.map(({ memberId }) => memberId)}::bigint[], ${keys.map(({ request }) => request)}::uuid[],
      ${keys.map(({ input }) => input)}::uuid[], ${calls.map(({ result }) => JSON.stringify(result))}::text[],
      ${calls.map(({ now }) => now.toISOString())}::timestamptz[])
      as call(member_id, request_key, input_key, result, created_at)
    -- In one order, so that two batches that share ids never wait for each other in a circle.
    order by member_id, request_key
    on conflict (member_id, request_key) do nothing
    returning member_id, request_key`,
  )
  const claimed = new Set(rows.map(({ member_id, request_key }) => `${member_id} ${request_key}`))
  return calls.map(({ memberId }, place) => claimed.has(`${memberId} ${keys[place]?.request}`))
}

/** Deletes the claims of ids by this transaction: what failed is not remembered. */
export async function releaseRequests(tx: Tx, calls: readonly IdempotentCall[]): Promise<void> {
  if (calls.length === 0) return
  await sql`
    delete from request_log r
    using unnest(${calls.map(({ memberId }) => memberId)}::bigint[], ${calls.map((call) => keysOf(call).request)}::uuid[])
      as call(member_id, request_key)
    where r.member_id = call.member_id and r.request_key = call.request_key`.execute(tx)
}
