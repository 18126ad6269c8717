import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const SEED_BYTES = 32

/** Bytes of a salt that decide on its leaf's place. */
export const KEY_BYTES = 16

/**
 * HMAC-SHA256 of whose leaf it is under the snapshot's random seed. The seed is new for each snapshot and kept with it, so a
 * backup of the database can give every proof again. Leaves are in the order of their salts: neither these nor places of
 * two days have anything in common, and a member that knows its own salt and place learns no other's.
 */
const saltOf = (seed: KeyObject, owner: string): Buffer => createHmac('sha256', seed).update(owner).digest()

/** The seed of a snapshot, from the operating system's random source. */
export const newSeed = (): Uint8Array => randomBytes(SEED_BYTES)

/** The seed as it is taken below: made once, because making it costs several times what a salt does. */
export const seedKey = (seed: Uint8Array): KeyObject => createSecretKey(seed)

export const memberSalt = (seed: KeyObject, memberId: bigint): Buffer => saltOf(seed, `member ${memberId}`)

export const paddingSalt = (seed: KeyObject, nth: number): Buffer => saltOf(seed, `padding ${nth}`)

/** What a leaf is ordered and found by. */
export const keyOf = (salt: Buffer): Buffer => salt.subarray(0, KEY_BYTES)
