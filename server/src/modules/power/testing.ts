import { WHOLE_UNIT } from '@candela/protocol/units'
import { type Database, transaction } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Insertable } from 'kysely'
import { createPlan, type NewPlan } from './plans/manage-plans.ts'

/** Rows that the tests of this module need. */

export const WHOLE = WHOLE_UNIT
export const NOW = new Date('2026-03-01T12:00:00Z')

/** A distinct address for each number. */
export const addressOf = (number: number): `0x${string}` => `0x${number.toString(16).padStart(40, '0')}`

export async function addMember(db: Database, address: string): Promise<bigint> {
  const { id } = await db
    .insertInto('member')
    .values({ address, inviter_id: null, invitation_code: `T${address.slice(-10).toUpperCase()}`, joined_at: NOW })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const text = { zh: '算力', tw: '算力', en: 'Power' }

/** 100 units at 25 USDT for 30 days unless told otherwise. */
export function addPlan(db: Database, plan: Partial<NewPlan> = {}): Promise<bigint> {
  const terms = { unitPrice: 25n * WHOLE, termDays: 30, minUnits: 1, maxUnits: 50, totalUnits: 100 }
  const whole = { name: text, description: text, unit: 'T', serviceFeePpm: 50_000, ...terms, ...plan }
  return transaction(db, (tx) => createPlan(tx, whole, NOW))
}

export async function unitsLeft(db: Database, planId: bigint): Promise<bigint> {
  const row = await db.selectFrom('power_plan').select('units_left').where('id', '=', planId).executeTakeFirstOrThrow()
  return row.units_left
}

/** Puts the follower's tip at a block with this time. */
export async function followTo(db: Database, number: bigint, at: Date): Promise<void> {
  const hash = `0x${number.toString(16).padStart(64, '0')}`
  await db.insertInto('chain_block').values({ number, hash, parent_hash: hash, at }).execute()
  const cursor = { followed: number, followed_hash: hash, head: number, head_seen_at: at }
  await db
    .insertInto('chain_cursor')
    .values({ chain_id: 210_000n, gateway: addressOf(1), start_block: 1n, halted_reason: null, ...cursor })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(cursor))
    .execute()
}

/** Records a payment that still waits for its depth. Returns its event id. */
export async function recordPayment(
  db: Database,
  payment: Pick<Insertable<Tables['chain_event']>, 'reference' | 'asset' | 'amount' | 'payer'> &
    Partial<Insertable<Tables['chain_event']>>,
): Promise<bigint> {
  const { id } = await db
    .insertInto('chain_event')
    .values({
      tx_hash: `0x${payment.amount.toString(16).padStart(64, '0')}`,
      log_index: 0,
      tx_position: 0,
      block_number: 10n,
      block_hash: `0x${'b'.repeat(64)}`,
      block_at: NOW,
      action: 'buyPower',
      customer: payment.payer,
      confirmations_needed: 12,
      outcome: null,
      credited_at: null,
      orphaned_at: null,
      last_failure: null,
      retry_at: null,
      ...payment,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
