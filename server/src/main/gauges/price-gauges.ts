import type { GaugeSource } from '../../api/metrics.ts'
import { readPrices } from '../../chain/price/price.ts'
import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'

/** Whether prices are in use, for Prometheus. */
export function priceGauges(db: Database, clock: Clock): GaugeSource[] {
  const count = (name: string, help: string, counts: (reason: string) => boolean): GaugeSource => ({
    name: `candela_${name}`,
    help,
    async read() {
      const prices = await readPrices(db, clock.now())
      return Object.values(prices).filter(({ pauseReason }) => counts(pauseReason)).length
    },
  })
  return [
    count('prices_paused', 'Prices that cannot be used now.', (reason) => reason !== 'none'),
    count('prices_halted', 'Prices that wait for an operator.', (reason) => reason === 'halted'),
  ]
}
