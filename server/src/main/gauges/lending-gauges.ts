import type { GaugeSource } from '../../api/metrics.ts'
import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { readFund } from '../../modules/fund/read-fund.ts'
import { readLosses } from '../../modules/fund/add-capital.ts'
import { countAtRisk } from '../../modules/lending/loan/watch/list-at-risk.ts'
import { WHOLE_UNIT } from '@candela/protocol/units'

/** When all loans were last looked at, in this process. */
export type LoanWatch = { lastAt: Date | null }

export type LendingGaugeParts = { db: Database; clock: Clock; watch: Readonly<LoanWatch> }

/** Whole units for a gauge: a picture of the amount, never the amount. */
const inUnits = (amount: bigint): number => Number(amount) / Number(WHOLE_UNIT)

const gauge = (name: string, help: string, read: () => Promise<number>): GaugeSource => ({
  name: `candela_${name}`,
  help,
  read,
})

/** The money fund and the loans, for Prometheus. */
export function lendingGauges({ db, clock, watch }: LendingGaugeParts): GaugeSource[] {
  return [
    gauge('fund_utilisation', 'The part of the fund that is lent, from 0 to 1.', async () => {
      const { assets, claims } = await readFund(db)
      return assets <= 0n ? 0 : Number(claims) / Number(assets)
    }),
    gauge('fund_reserve_usdt', 'What pays deficits first, in USDT.', async () => inUnits((await readFund(db)).reserve)),
    gauge('fund_lost_usdt', 'Deficits that lowered the share price, ever, in USDT.', async () =>
      inUnits(await readLosses(db)),
    ),
    gauge('loans_called', 'Open loans at or above their safety line.', async () => (await countAtRisk(db)).called),
    gauge(
      'loans_liquidating',
      'Open loans of which a sale has begun and is not complete.',
      async () => (await countAtRisk(db)).liquidating,
    ),
    gauge('loan_watch_age_seconds', 'Since all loans were looked at.', () =>
      Promise.resolve(
        watch.lastAt === null ? Number.NaN : Math.max(0, (clock.now().getTime() - watch.lastAt.getTime()) / 1_000),
      ),
    ),
  ]
}
