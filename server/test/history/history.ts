import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, transaction } from '@candela/server/db/open'
import { countDays } from '@candela/server/ledger/statement/count-days'
import { addMember, addPlan, followTo } from '@candela/server/modules/power/testing'
import { foldPerformance } from '@candela/server/modules/ranking/fold-performance'
import { addEntries } from './add-entries.ts'
import {
  addDeposits,
  addExchanges,
  addInvitees,
  addNotices,
  addOrders,
  addSessions,
  addWithdrawals,
  type Owner,
} from './add-records.ts'

/**
 * Members that have so many rows in every list, the last ones of this minute; nobody else has any. Written by statements
 * over sets, because a million of each is asked for. The longest comes first, so that the journal is about in the order of
 * its times.
 */
export async function addHistories(db: Database, rows: readonly number[], now: Date): Promise<Owner[]> {
  await followTo(db, 100n, now)
  const planId = await addPlan(db, { termDays: 1 })
  const owners: Owner[] = []
  for (const [nth, count] of rows.entries()) {
    const address = `0x${String(nth + 1).repeat(40)}`
    const owner = { memberId: await addMember(db, address), address }
    owners.push(owner)
    await addEntries(db, owner.memberId, count, now)
    await addDeposits(db, owner, count, now)
    await addOrders(db, { ...owner, planId }, count, now)
    await addWithdrawals(db, owner, count, now)
    await addExchanges(db, owner, count, now)
    await addNotices(db, owner, count, now)
    await addSessions(db, owner, count, now)
    await addInvitees(db, owner, count, now)
  }
  while ((await foldPerformance(db)) > 0);
  await countAllDays(db)
  await sql`vacuum analyze`.execute(db)
  return owners
}

/**
 * As the worker does: each round counts what the one before has seen begin. A transaction that is open anywhere in the
 * cluster, also one of another test, delays it.
 */
async function countAllDays(db: Database): Promise<void> {
  for (;;) {
    await transaction(db, (tx) => countDays(tx))
    const { rows } = await sql<{ done: boolean }>`
      select m.counted >= (select max(seq) from ledger_posting) as done from ledger_day_mark m`.execute(db)
    if (rows[0]?.done === true) return
    await sleep(20)
  }
}
