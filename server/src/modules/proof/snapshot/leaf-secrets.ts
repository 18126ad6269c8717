import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Database } from '../../../db/open.ts'
import { must } from '../../../kernel/assert.ts'

const SEED_BYTES = 32

/** Bytes of a salt that decide on its leaf's place. */
export const KEY_BYTES = 16

/** HMAC-SHA256 of whose it is. 32 bytes. */
const derived = (key: KeyObject, owner: string): Buffer => createHmac('sha256', key).update(owner).digest()

/** 32 bytes from the operating system's random source. */
export const newSeed = (): Uint8Array => randomBytes(SEED_BYTES)

/** A key as it is taken below: made once, because making it costs several times what a secret does. */
export const seedKey = (seed: Uint8Array): KeyObject => createSecretKey(seed)

/**
 * A member's secret, the same on all days; `saltOf` of the protocol makes the salt of a day from it. Leaves are in the order of their
 * salts: neither these nor places of two days have anything in common for who lacks the secret, and a member learns no other's.
 * @param master by `seedKey`
 */
export const memberSecret = (master: KeyObject, memberId: bigint): Buffer => derived(master, `member ${memberId}`)

/** The secret of the platform's leaf. It is published: nobody can be paid by that leaf. @param master by `seedKey` */
export const platformSecret = (master: KeyObject): Buffer => derived(master, 'platform')

/** The secret of a padding leaf, which looks like a member's. @param seed of its snapshot alone, and kept by nobody */
export const paddingSecret = (seed: KeyObject, nth: number): Buffer => derived(seed, `padding ${nth}`)

/** The salt of a member in a snapshot of before members had a secret. @param seed kept with the snapshot */
export const seededSalt = (seed: KeyObject, memberId: bigint): Buffer => derived(seed, `member ${memberId}`)

/** The key that a leaf is ordered and found by. */
export const keyOf = (salt: Uint8Array): Uint8Array => salt.subarray(0, KEY_BYTES)

/** The key that members' secrets are derived from; made with the first snapshot, and the same ever after. */
export async function makeMasterKey(db: Database, seed: () => Uint8Array): Promise<Buffer> {
  const known = await readMasterKey(db)
  if (known !== null) return known
  await db
    .insertInto('proof_key')
    .values({ key: Buffer.from(seed()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Another worker may have been faster.
  return must(await readMasterKey(db), 'it was just made')
}

/** Null before the first snapshot. */
export async function readMasterKey(db: Database): Promise<Buffer | null> {
  const row = await db.selectFrom('proof_key').select('key').executeTakeFirst()
  return row?.key ?? null
}
