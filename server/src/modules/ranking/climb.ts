import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Tx } from '../../db/open.ts'

/** The gain of a member's own purchases or of its team, in USDT base units, and when the oldest purchase in it was confirmed. */
export type Gain = { member_id: bigint; amount: bigint; since: Date }

const ancestorRow = z.object({ id: z.bigint(), inviter_id: z.bigint().nullable() })
/** A member with the one who invited it; null below a root code. */
export type Ancestor = z.output<typeof ancestorRow>

/**
 * Gains of a member's team that its figures do not contain yet; `largest` is the largest branch that they came from.
 */
export type Rising = Gain & { largest: bigint }

/** These members and those above them: these first, then so many others, the nearest first. */
export function readAncestors(tx: Tx, memberIds: readonly bigint[], maxOthers: number): Promise<Ancestor[]> {
  return queryRows(
    tx,
    ancestorRow,
    sql`
    with recursive above as (
      select id, inviter_id from member where id = any (${memberIds}::bigint[])
      union
      select m.id, m.inviter_id from above join member m on m.id = above.inviter_id
    )
    -- Members are found level by level, and the search ends with the last one that is asked for.
    select id, inviter_id from above limit ${memberIds.length + maxOthers}`,
  )
}

/**
 * Adds gains to the members above: each member adds what its invitees bought and gained to its team, and passes both
 * on, after all of its invitees among `ancestors` have. Gains of a member that is not among them are left for another
 * run.
 */
export function climb(
  bought: readonly Gain[],
  rising: readonly Gain[],
  ancestors: readonly Ancestor[],
): { team: Map<bigint, Gain>; left: Map<bigint, Gain> } {
  const own = new Map(bought.map((gain) => [gain.member_id, gain]))
  const team = new Map<bigint, Gain>(rising.map((gain) => [gain.member_id, gain]))
  const left = new Map<bigint, Gain>()
  const inviterOf = new Map(ancestors.map(({ id, inviter_id }) => [id, inviter_id]))
  const invitees = new Map<bigint, number>()
  for (const inviter of inviterOf.values()) {
    if (inviter !== null) invitees.set(inviter, (invitees.get(inviter) ?? 0) + 1)
  }
  const ready = [...inviterOf.keys()].filter((id) => !invitees.has(id))
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const inviter = inviterOf.get(id) ?? null
    if (inviter === null) continue
    const to = inviterOf.has(inviter) ? team : left
    for (const gain of [own.get(id), team.get(id)]) {
      if (gain !== undefined) to.set(inviter, sumOf(to.get(inviter), { ...gain, member_id: inviter }))
    }
    const waiting = (invitees.get(inviter) ?? 0) - 1
    invitees.set(inviter, waiting)
    if (waiting === 0 && inviterOf.has(inviter)) ready.push(inviter)
  }
  return { team, left }
}

const sumOf = (before: Gain | undefined, { member_id, amount, since }: Gain): Gain => ({
  member_id,
  amount: amount + (before?.amount ?? 0n),
  since: before !== undefined && before.since < since ? before.since : since,
})
