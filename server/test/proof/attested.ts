import type { Database } from '@candela/server/db/open'
import type { Clock } from '@candela/server/kernel/clock'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { addressOf } from '@candela/server/modules/power/testing'
import type { Hex } from 'viem'

/** Has the snapshot of a day attested, as if its transaction were final. */
export async function attestedAs(db: Database, day: string, now: Date): Promise<void> {
  const nonce = BigInt(day.replaceAll('-', ''))
  await db
    .insertInto('attestation')
    .values({ day, payer: addressOf(5), nonce, state: 'attested', attested_at: now })
    .execute()
  const hash = `0x${day.replaceAll('-', '').padStart(64, '0')}`
  const sent = { raw: '0x', gas_price: 1n, signed_at: now, tried_at: null, last_failure: null }
  await db
    .insertInto('attestation_transaction')
    .values({ hash, day, ...sent })
    .execute()
}

/** The contract's holdings, where a test does not look at them. */
export const someHoldings = () => Promise.resolve({ JU: 7n, USDT: 8n, HASH: 9n })

/** One block is enough for a payment to be final. */
export const oneConfirmation = (gateway: Hex = addressOf(1)) => ({
  gateway,
  confirmations: { normal: 1, large: 1, largeAbove: 0n },
})

/** Takes a snapshot of what is owed and has it attested. Needs two connections. */
export async function attestSnapshot(db: Database, day: string, clock: Clock): Promise<void> {
  const config = oneConfirmation()
  const taken = await takeSnapshot(snapshotDeps({ db, clock, config, payouts: { holdings: someHoldings } }), day)
  if (!taken) throw new Error('no block is final')
  await attestedAs(db, day, clock.now())
}
