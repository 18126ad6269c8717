import type { GaugeSource } from '../../api/metrics.ts'
import { readLease } from '../../db/lease/lease.ts'
import type { Database } from '../../db/open.ts'
import { WORK_LEASE } from '../start-work.ts'

/**
 * Reports to Prometheus which server has the lease of the loops. As the database says, so that one that was paused does not count.
 * @param number of the lease whose work runs here; null for none
 */
export function leaseGauges(db: Database, number: () => bigint | null): GaugeSource[] {
  const read = () => readLease(db, WORK_LEASE)
  return [
    {
      name: 'candela_lease_held',
      help: '1 on the server that runs the loops and periodic tasks, 0 on all others.',
      async read() {
        const lease = await read()
        return lease !== undefined && !lease.is_over && lease.number === number() ? 1 : 0
      },
    },
    {
      name: 'candela_lease_free',
      help: '1 while no server has the lease: nothing is followed, credited or paid out.',
      read: async () => ((await read())?.is_over === false ? 0 : 1),
    },
    {
      name: 'candela_lease_number',
      help: 'How often the lease was taken.',
      read: async () => Number((await read())?.number ?? 0n),
    },
  ]
}
