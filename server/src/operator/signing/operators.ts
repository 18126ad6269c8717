import { CHAIN_ID } from '@candela/protocol/chain/network'
import { sql } from 'kysely'
import { advisoryLocks } from '../../db/advisory-locks.ts'
import type { Database, Tx } from '../../db/open.ts'
import { OperatorError } from '../../kernel/errors.ts'

export type Operator = { name: string; key: string; signed: bigint; added_at: Date; removed_at: Date | null }

/**
 * A name as it is registered: lower case, ASCII letters and digits only, so that no two names look like one.
 * @throws OperatorError when it is none
 */
export function readOperatorName(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9]{1,31}$/.test(text)) return text.toLowerCase()
  throw new OperatorError(`"${text}" is not a name: 2 to 32 of the letters a to z and digits, a letter first`)
}

/** Reads what tells this deployment from every other one: its database, its chain, and its contract once it is followed. */
export async function readService(db: Database): Promise<string> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  const cursor = await db.selectFrom('chain_cursor').select('gateway').executeTakeFirst()
  return `${id} chain ${CHAIN_ID} contract ${cursor?.gateway ?? 'none'}`
}

/** Everybody who is or was one, in the order in which they were added. */
export const listOperators = (db: Database): Promise<Operator[]> =>
  db.selectFrom('operator').selectAll().orderBy('added_at').orderBy('name').execute()

export const findByKey = (db: Database, key: string): Promise<Operator | undefined> =>
  db.selectFrom('operator').selectAll().where('key', '=', key).executeTakeFirst()

/** Locked, so that the commands of one operator come one after the other, and none during the removal. */
export const lockOperator = (tx: Tx, name: string): Promise<Operator | undefined> =>
  tx.selectFrom('operator').selectAll().where('name', '=', name).forUpdate().executeTakeFirst()

export async function countOperators(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('operator')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

// Any constant will do, as long as nothing else in the database locks the same one.

/** Adding and removing come one after the other: both depend on how many there are. */
export async function lockRegistry(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.operators})`.execute(tx)
}

/** @throws OperatorError when the name or the key was registered before, also of somebody who was removed */
export async function addOperator(tx: Tx, { name, key }: { name: string; key: string }, now: Date): Promise<void> {
  const before = await tx
    .selectFrom('operator')
    .select(['name', 'key'])
    .where((eb) => eb.or([eb('name', '=', name), eb('key', '=', key)]))
    .executeTakeFirst()
  if (before?.key === key) throw new OperatorError(`this key is registered already, for ${before.name}`)
  if (before !== undefined) throw new OperatorError(`there is or was an operator ${name}: choose another name`)
  await tx.insertInto('operator').values({ name, key, added_at: now }).execute()
}

/** Registers the first operator, who signs this with the new key. @throws OperatorError when there is one */
export async function addFirstOperator(tx: Tx, first: { name: string; key: string }, now: Date): Promise<void> {
  await lockRegistry(tx)
  const before = await tx.selectFrom('operator').select('name').executeTakeFirst()
  if (before !== undefined) throw new OperatorError('there is an operator already, who has to sign this')
  await addOperator(tx, first, now)
}

/** Ends an operator and what this operator has proposed. @throws OperatorError for an unknown one or the last one */
export async function removeOperator(tx: Tx, name: string, now: Date): Promise<void> {
  await lockRegistry(tx)
  const found = await lockOperator(tx, name)
  if (found === undefined || found.removed_at !== null) throw new OperatorError(`there is no operator ${name}`)
  if ((await countOperators(tx)) === 1) throw new OperatorError(`${name} is the last operator: add another one first`)
  await tx.updateTable('operator').set({ removed_at: now }).where('name', '=', name).execute()
  await tx
    .updateTable('operator_proposal')
    .set({ ended: 'withdrawn', ended_at: now })
    .where('proposed_by', '=', name)
    .where('ended', 'is', null)
    .execute()
}
