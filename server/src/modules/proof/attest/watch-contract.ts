import { CHAIN_ID } from '@candela/protocol/chain/network'
import { noSums, sameSums } from '@candela/protocol/proof/sum-tree'
import type { LastAttestation } from '../../../chain/payout/attest-chain.ts'
import { anyOf } from '../../../db/any-of.ts'
import { type Database, type Tx, transaction } from '../../../db/open.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'

export type WatchDeps = { db: Database; clock: Clock; log: Log }

/**
 * Compares the last attestation that the contract names with what this service has signed. One that is not ours was made with a
 * stolen key: after 30 days without another, members could claim by that one alone. It is logged when it is first seen.
 */
export async function watchAttestations({ db, clock, log }: WatchDeps, last: LastAttestation): Promise<void> {
  if (BigInt(last.root) === 0n) return
  const isNew = await transaction(db, async (tx) => {
    const known = await tx.selectFrom('contract_attestation').select(['root', 'is_foreign']).executeTakeFirst()
    const isForeign = !(await isOurs(tx, last))
    if (known?.root === last.root && known.is_foreign === isForeign) return false
    const row = { root: last.root, day: last.day, is_foreign: isForeign, seen_at: clock.now() }
    await tx
      .insertInto('contract_attestation')
      .values(row)
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
      .execute()
    return isForeign
  })
  if (!isNew) return
  const facts = { event: 'proof.foreign', chain: CHAIN_ID, day: last.day, root: last.root } as const
  log.error(
    facts,
    'the contract names an attestation that this service has not signed: the attester’s key is in other hands',
  )
}

/** Notes when the contract went into exit mode, null while it has not: money commands are refused then. */
export async function watchExit({ db, clock, log }: WatchDeps, exitedAt: Date | null): Promise<void> {
  if (exitedAt === null) {
    // A reorganisation has taken it back.
    await db.deleteFrom('contract_exit').execute()
    return
  }
  const seen = await db
    .insertInto('contract_exit')
    .values({ exited_at: exitedAt, seen_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('only_row')
    .executeTakeFirst()
  if (seen === undefined) return
  const facts = { event: 'proof.exit', chain: CHAIN_ID, exitedAt: exitedAt.toISOString() } as const
  log.error(facts, 'the contract is in exit mode: members claim from it, and money commands are refused')
}

/** Keeps what the contract's owner has announced. Each is logged when it is first seen: the owner's key may be in other hands. */
export async function watchNotices({ db, clock, log }: WatchDeps, notices: readonly string[]): Promise<void> {
  const fresh = await transaction(db, async (tx) => {
    await tx
      .deleteFrom('contract_notice')
      .where((eb) => eb.not(eb('words', '=', anyOf(notices))))
      .execute()
    if (notices.length === 0) return []
    return tx
      .insertInto('contract_notice')
      .values(notices.map((words) => ({ words, seen_at: clock.now() })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('words')
      .execute()
  })
  for (const { words } of fresh) {
    const facts = { event: 'contract.notice', chain: CHAIN_ID, words } as const
    log.error(
      facts,
      'the owner of the contract has announced something: if that was not you, the key is in other hands',
    )
  }
}

/** One that says that nothing is owed is no stranger's before the first of ours: with it a new contract is opened. */
async function isOurs(tx: Tx, { root, sums }: LastAttestation): Promise<boolean> {
  const ours = await tx
    .selectFrom('attestation as a')
    .innerJoin('proof_snapshot as s', 's.day', 'a.day')
    .select('s.root')
    .where('s.root', '=', root)
    .executeTakeFirst()
  if (ours !== undefined) return true
  const any = await tx
    .selectFrom('attestation')
    .select('day')
    .where('state', '=', 'attested')
    .limit(1)
    .executeTakeFirst()
  return any === undefined && sameSums(sums, noSums)
}

/** How many announcements of the contract's owner can still be carried out. */
export async function countNotices(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('contract_notice')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether the contract's last attestation is a stranger's; null while nobody has asked the contract. */
export async function readIsForeign(db: Database): Promise<boolean | null> {
  const row = await db.selectFrom('contract_attestation').select('is_foreign').executeTakeFirst()
  return row?.is_foreign ?? null
}
