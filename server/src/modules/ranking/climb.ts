import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Tx } from '../../db/open.ts'

/** What a member's own purchases or its team have gained, in USDT base units. */
export type Gain = { member_id: bigint; amount: bigint }

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
): { team: Map<bigint, bigint>; left: Map<bigint, bigint> } {
  const own = new Map(bought.map(({ member_id, amount }) => [member_id, amount]))
  const team = new Map(rising.map(({ member_id, amount }) => [member_id, amount]))
  const left = new Map<bigint, bigint>()
  const inviterOf = new Map(ancestors.map(({ id, inviter_id }) => [id, inviter_id]))
  const invitees = new Map<bigint, number>()
  for (const inviter of inviterOf.values()) {
    if (inviter !== null) invitees.set(inviter, (invitees.get(inviter) ?? 0) + 1)
  }
  const ready = [...inviterOf.keys()].filter((id) => !invitees.has(id))
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const inviter = inviterOf.get(id) ?? null
    if (inviter === null) continue
    const gained = (own.get(id) ?? 0n) + (team.get(id) ?? 0n)
    const to = inviterOf.has(inviter) ? team : left
    if (gained > 0n) to.set(inviter, (to.get(inviter) ?? 0n) + gained)
    const waiting = (invitees.get(inviter) ?? 0) - 1
    invitees.set(inviter, waiting)
    if (waiting === 0 && inviterOf.has(inviter)) ready.push(inviter)
  }
  return { team, left }
}
