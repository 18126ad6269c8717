import type { PayoutChain } from '../../../chain/payout/payout-chain.ts'
import type { Signer } from '../../../chain/signer.ts'
import type { Database } from '../../../db/open.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { gauge, type GaugeSource, inUnits } from '../../../kernel/gauge.ts'
import { type QueueStatus, readQueueStatus } from '../payout/queue-status.ts'
import { readCapFigures } from './cap-use.ts'

export type PayoutGaugeParts = {
  db: Database
  clock: Clock
  payouts: PayoutChain
  signers: { payer: Signer | null; attester: Signer | null }
}

/** Paying out, and what the hot accounts have, for Prometheus. */
export function payoutGauges({ db, clock, payouts, signers }: PayoutGaugeParts): GaugeSource[] {
  const queue = (name: string, help: string, figure: (status: QueueStatus) => number) =>
    gauge(name, help, async () => figure(await readQueueStatus(db, clock.now())))
  // When the node does not answer, the other figures are still given.
  const balanceOf = async (signer: Signer | null) =>
    signer === null ? Number.NaN : payouts.balance(signer.address).then(inUnits, () => Number.NaN)
  return [
    queue('payouts_review', 'Withdrawals that wait for an operator.', ({ review }) => review),
    queue('payouts_queued', 'Withdrawals that wait for being signed.', ({ queued }) => queued),
    queue('payouts_sending', 'Withdrawals signed and not final.', ({ sending }) => sending),
    queue('payout_age_seconds', 'Age of the oldest withdrawal that waits for us.', ({ age_s }) => age_s),
    gauge('payout_cap_used', 'Part of the contract’s cap that is used now, of the asset with most.', async () => {
      return (await readCapFigures(db, clock.now())).used
    }),
    gauge(
      'payout_cap_by_one',
      'Part of a cap that went to one member and those whom it has invited in the last 24 hours.',
      async () => (await readCapFigures(db, clock.now())).byOne,
    ),
    gauge('payer_balance', 'Native currency that the payer has for gas, in whole units.', () =>
      balanceOf(signers.payer),
    ),
    gauge('attester_balance', 'Native currency that the attester has for gas, in whole units.', () =>
      balanceOf(signers.attester),
    ),
  ]
}
