import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { gauge, type GaugeSource } from '../../kernel/gauge.ts'
import { readPrices } from './price.ts'

/** Whether prices are in use, for Prometheus. */
export function priceGauges(db: Database, clock: Clock): GaugeSource[] {
  const count = (name: string, help: string, counts: (reason: string) => boolean) =>
    gauge(name, help, async () => {
      const prices = await readPrices(db, clock.now())
      return Object.values(prices).filter(({ pauseReason }) => counts(pauseReason)).length
    })
  return [
    count('prices_paused', 'Prices that cannot be used now.', (reason) => reason !== 'none'),
    count('prices_halted', 'Prices that wait for an operator.', (reason) => reason === 'halted'),
  ]
}
