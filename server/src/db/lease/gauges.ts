import { gauge, type GaugeSource } from '../../kernel/gauge.ts'
import type { Database } from '../open.ts'
import { readLease } from './lease.ts'

/**
 * Reports to Prometheus which server has a lease. As the database says, so that one that was paused does not count.
 * @param number of the lease whose work runs here; null for none
 */
export function leaseGauges(db: Database, lease: string, number: () => bigint | null): GaugeSource[] {
  const read = () => readLease(db, lease)
  return [
    gauge('lease_held', '1 on the server that runs the loops and periodic tasks, 0 on all others.', async () => {
      const held = await read()
      return held !== undefined && !held.is_over && held.number === number() ? 1 : 0
    }),
    gauge('lease_free', '1 while no server has the lease: nothing is followed, credited or paid out.', async () =>
      (await read())?.is_over === false ? 0 : 1,
    ),
    gauge('lease_number', 'How often the lease was taken.', async () => Number((await read())?.number ?? 0n)),
  ]
}
