import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { PayoutChain } from '../../chain/payout/payout-chain.ts'
import type { Signer } from '../../chain/signer.ts'
import type { Signers } from '../start-loops.ts'
import type { Database } from '../../db/open.ts'
import type { GaugeSource } from '../../api/metrics.ts'
import type { Clock } from '../../kernel/clock.ts'
import { lastAuditAt } from '../../ledger/audit/audit-round.ts'
import { countOpenFindings } from '../../ledger/audit/findings.ts'
import { accountBalance } from '../../ledger/balances.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { partitionsAhead } from '../../ledger/upkeep/partitions.ts'
import { countForeignPayouts } from '../../modules/reconcile/foreign-payouts.ts'
import { readAgreementAge, readLastReconciliation, readPauseReason } from '../../modules/reconcile/pause.ts'
import { type QueueStatus, readQueueStatus } from '../../modules/withdraw/payout/queue-status.ts'
import { readCapFigures } from '../../modules/withdraw/wait/cap-use.ts'
import { WHOLE_UNIT } from '@candela/protocol/units'

export type PayoutGaugeParts = { db: Database; clock: Clock; payouts: PayoutChain; signers: Signers }

/** Whole units for a gauge. It is rounded, so nothing may be computed from it. */
const inUnits = (amount: bigint): number => Number(amount) / Number(WHOLE_UNIT)

const gauge = (name: string, help: string, read: () => Promise<number>): GaugeSource => ({
  name: `candela_${name}`,
  help,
  read,
})

/** Paying out, the hot account, money without an owner, and whether the books hold, for Prometheus. */
export function payoutGauges({ db, clock, payouts, signers }: PayoutGaugeParts): GaugeSource[] {
  const queue = (name: string, help: string, figure: (status: QueueStatus) => number) =>
    gauge(name, help, async () => figure(await readQueueStatus(db, clock.now())))
  // When the node does not answer, the other figures are still given.
  const balanceOf = async (signer: Signer | null) =>
    signer === null ? Number.NaN : payouts.balance(signer.address).then(inUnits, () => Number.NaN)
  const suspense = (asset: AssetCode) =>
    gauge(`suspense_${asset.toLowerCase()}`, `${asset} whose owner nobody knows, in whole units.`, async () =>
      inUnits(await accountBalance(db, platformAccount('suspense', asset))),
    )
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
    ...assetCodes.map(suspense),
    gauge('reconciliation_differs', '1 while the books and the chain differ.', async () => {
      const last = await readLastReconciliation(db)
      return last === undefined ? Number.NaN : last.finding === null ? 0 : 1
    }),
    gauge('reconciliation_age_seconds', 'Since a comparison found the books and the chain equal.', async () => {
      return (await readAgreementAge(db, clock.now())) ?? Number.NaN
    }),
    gauge('payouts_foreign', 'Payments out that are no withdrawal of ours and that nobody has explained.', () =>
      countForeignPayouts(db),
    ),
    gauge('withdrawals_paused', '1 while no withdrawal is paid, whatever the reason.', async () =>
      (await readPauseReason(db, clock.now())) === null ? 0 : 1,
    ),
    gauge('ledger_partitions_ahead', 'Partitions of the ledger that wait behind the one that is written.', () =>
      partitionsAhead(db),
    ),
    gauge('ledger_audit_findings', 'What the audit of the ledger found and nobody has mended or accepted.', () =>
      countOpenFindings(db),
    ),
    gauge('ledger_audit_age_seconds', 'Since the last whole audit of the ledger.', async () => {
      const last = await lastAuditAt(db)
      return last === undefined ? Number.NaN : Math.max(0, (clock.now().getTime() - last.getTime()) / 1000)
    }),
  ]
}
