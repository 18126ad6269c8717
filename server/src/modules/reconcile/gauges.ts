import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { gauge, type GaugeSource } from '../../kernel/gauge.ts'
import { countForeignPayouts } from './foreign-payouts.ts'
import { readAgreementAge, readLastReconciliation, readPauseReason } from './pause.ts'

/** Whether the books are what the chain has, for Prometheus. */
export const reconcileGauges = (db: Database, clock: Clock): GaugeSource[] => [
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
]
