/** Gives the exchange desk what the owner paid in for it, by the operator's own command. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { listSuspense } from '@candela/server/modules/deposit/list-suspense'
import { testAccounts } from '@candela/testing/chain/accounts'
import { deskReference } from '../deploy/deploy-plan.ts'
import { giveByBoth, type Installation } from './operators.ts'

/** By which the payments are known, and how many there are. The payer has no account, so they end in suspense. */
export type DeskPayments = { payer: string; reference: string; count: number }

const withinMs = 90_000

/** Lists what the deployment paid in for the desk. */
export function deskPayments(): DeskPayments {
  const [owner] = testAccounts()
  if (owner === undefined) throw new Error('There are no test accounts')
  return { payer: owner.address.toLowerCase(), reference: deskReference, count: 3 }
}

/** Gives the exchange desk what the deployment paid in for it. The server has to credit those payments first. */
export async function stockFromDeployment(
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const db = openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    const installation = { databaseUrl, dataDir, clock: systemClock }
    const { added, missing } = await stockDesk(db, installation, deskPayments(), signal)
    if (added > 0) log('Stocked the exchange desk')
    if (missing > 0) log(`${missing} payments for the exchange desk have not arrived yet; the next start takes them up`)
  } finally {
    await db.destroy()
  }
}

/**
 * Waits until they are credited, and assigns each once: cut short at any instant, the next run goes on.
 * @returns how many it assigned, and how many did not come in time
 */
export async function stockDesk(
  db: Database,
  installation: Installation,
  payments: DeskPayments,
  signal: AbortSignal,
): Promise<{ added: number; missing: number }> {
  let added = 0
  for (const giveUpMs = performance.now() + withinMs; ; await sleep(100)) {
    signal.throwIfAborted()
    for (const { id, payer, reference } of await listSuspense(db, { skip: 0, limit: 1_000 })) {
      if (payer !== payments.payer || reference !== payments.reference) continue
      await assignToDesk(db, installation, id)
      added += 1
    }
    const missing = payments.count - (await countAssigned(db, payments))
    if (missing <= 0 || performance.now() > giveUpMs) return { added, missing }
  }
}

function assignToDesk(db: Database, installation: Installation, id: string): Promise<void> {
  return giveByBoth(
    db,
    installation,
    ['suspense', 'assign', id, '--to', 'desk'],
    ({ command, input }) => command === 'suspense assign' && input['id'] === id && input['to'] === 'desk',
  )
}

async function countAssigned(db: Database, { payer, reference }: DeskPayments): Promise<number> {
  const { count } = await db
    .selectFrom('suspense_assignment as a')
    .innerJoin('chain_payment as e', (join) =>
      join.onRef('e.tx_hash', '=', 'a.tx_hash').onRef('e.tx_position', '=', 'a.tx_position'),
    )
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('a.target', '=', 'desk')
    .where('e.payer', '=', payer)
    .where('e.reference', '=', reference)
    .executeTakeFirstOrThrow()
  return Number(count)
}
