import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ageInSeconds, gauge, type GaugeSource, inUnits } from '../../kernel/gauge.ts'
import { readLosses } from '../fund/add-capital.ts'
import { readFund } from '../fund/read-fund.ts'
import { countAtRisk } from './loan/watch/list-at-risk.ts'

/** When all loans were last looked at, in this process. */
export type LoanWatch = { lastAt: Date | null }

export type LendingGaugeParts = { db: Database; clock: Clock; watch: Readonly<LoanWatch> }

/** The money fund and the loans, for Prometheus. */
export const lendingGauges = ({ db, clock, watch }: LendingGaugeParts): GaugeSource[] => [
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
  gauge('loan_watch_age_seconds', 'Since all loans were looked at.', () => ageInSeconds(watch.lastAt, clock.now())),
]
