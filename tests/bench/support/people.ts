import { randomBytes } from 'node:crypto'
import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import type { Database } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { hashToken } from '@candela/server/modules/session/log-in/log-in'
import { type Hex, keccak256, toHex } from 'viem'

const secp256k1 = await instantiateSecp256k1()

/** The library gives a text where it failed. */
function done<T extends object>(result: T | string): T {
  if (typeof result === 'string') throw new Error(result)
  return result
}

export type Person = { key: Buffer; address: Hex; token: string }
export type Member = Person & { memberId: bigint }

export function newPerson(): Person {
  const key = randomBytes(32)
  const point = done(secp256k1.derivePublicKeyUncompressed(key))
  return {
    key,
    address: `0x${keccak256(point.subarray(1)).slice(-40)}`,
    token: randomBytes(32).toString('base64url'),
  }
}

/** A signature as wallets give it, in the fast library, because making them must not be what is measured. */
export function sign({ key }: Person, digest: Uint8Array): Hex {
  const { signature, recoveryId } = done(secp256k1.signMessageHashRecoverableCompact(key, digest))
  return toHex(Buffer.concat([signature, Buffer.from([27 + recoveryId])]))
}

/** So many people with an account and a session each. */
export async function addMembers(db: Database, count: number): Promise<Member[]> {
  const people = Array.from({ length: count }, newPerson)
  const now = new Date()
  const rows = await db
    .insertInto('member')
    .values(
      people.map(({ address }) => ({
        address,
        inviter_id: null,
        invitation_code: `B${randomBytes(5).toString('hex').toUpperCase()}`,
        ju_uid: null,
        joined_at: now,
      })),
    )
    .returning(['id', 'address'])
    .execute()
  const idOf = new Map(rows.map(({ id, address }) => [address, id]))
  const members = people.map((person) => ({ ...person, memberId: must(idOf.get(person.address), 'a row for each') }))
  await db
    .insertInto('session')
    .values(
      members.map(({ token, memberId }) => ({
        token_hash: hashToken(token),
        id: crypto.randomUUID(),
        member_id: memberId,
        created_at: now,
        seen_at: now,
        expires_at: new Date(now.getTime() + 86_400_000),
        ended_at: null,
        user_agent: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Mobile Safari/537.36',
      })),
    )
    .execute()
  return members
}
