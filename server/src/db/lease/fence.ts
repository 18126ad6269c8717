import type { PoolClient } from 'pg'
import { assert } from '../../kernel/assert.ts'

/** The lease under which a connection writes, and its number when it was taken. */
export type Fence = { lease: string; number: bigint }

/** SQL state of `lease_expect` for a lease that another server has taken. */
export const LEASE_LOST = 'CL001'

// Weaker than what taking the lease needs, and no obstacle to prolonging it. It takes no snapshot.
const LOCK = 'lock table lease in row share mode'

type Query = (text: string, values?: readonly unknown[]) => Promise<unknown>

/**
 * Has every transaction of a connection, and every statement outside of one that is not a `select`, fail with `LEASE_LOST`
 * once another server has taken the lease. While such a transaction is open, the lease cannot be taken: who takes it waits,
 * or ends the transaction. So nothing is committed under a lease that is gone, however long its holder stood still. It
 * costs no further round trip.
 *
 * The lock comes first and the number is read after it: in the other order the lease could be taken in between.
 */
export function fenceTransactions(client: PoolClient, { lease, number }: Fence): void {
  const query = client.query.bind(client) as unknown as Query
  assert(/^[\w ]+$/.test(lease), `"${lease}" is the name of a lease`)
  const check = `select lease_expect('${lease}', ${number})`
  let isOpen = false
  let isChecked = false

  const begin = async (text: string): Promise<unknown> => {
    // Such a transaction sees what its first query saw, and it may be up to the caller when that is. It is checked at its end.
    isChecked = !/repeatable read|serializable/.test(text)
    try {
      await query([text, LOCK, ...(isChecked ? [check] : [])].join('; '))
    } catch (error) {
      await query('rollback').catch(() => undefined)
      throw error
    }
    isOpen = true
    return { command: 'START', rowCount: null, rows: [] }
  }
  const end = async (text: string): Promise<unknown> => {
    if (text === 'commit' && !isChecked) await query(check)
    isOpen = false
    return query(text)
  }
  const writeAlone = async (text: string, values?: readonly unknown[]): Promise<unknown> => {
    await begin('start transaction isolation level read committed')
    try {
      const result = await query(text, values)
      await end('commit')
      return result
    } catch (error) {
      await end('rollback').catch(() => undefined)
      throw error
    }
  }
  const fenced: Query = (text, values) => {
    if (/^(?:begin|start transaction)\b/.test(text)) return begin(text)
    if (text === 'commit' || text === 'rollback') return end(text)
    return isOpen || /^\s*select\b/i.test(text) ? query(text, values) : writeAlone(text, values)
  }
  client.query = fenced as unknown as PoolClient['query']
}
