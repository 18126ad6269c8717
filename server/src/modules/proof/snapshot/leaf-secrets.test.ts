import { expect, test } from 'vitest'
import { transaction } from '../../../db/open.ts'
import { createTestDatabase, lockWaits } from '@candela/testing/postgres/test-database'
import { makeMasterKey, memberSecret, paddingSecret, seedKey } from './leaf-secrets.ts'

const seedOf = (byte: number) => new Uint8Array(32).fill(byte)

test('secrets follow from their key and whose they are, and no two are alike', () => {
  const keys = [seedKey(seedOf(1)), seedKey(seedOf(2))]
  const secrets = keys.flatMap((key) =>
    [1, 2].flatMap((nth) =>
      [memberSecret(key, BigInt(nth)), paddingSecret(key, nth)].map((one) => one.toString('hex')),
    ),
  )
  expect(new Set(secrets).size).toBe(8)
  expect(memberSecret(seedKey(seedOf(1)), 1n).toString('hex')).toBe(secrets[0])
})

test('two workers that make the key at once have the same one', async () => {
  await using own = await createTestDatabase()
  const { db } = own
  // The first has written its key and not committed it when the second looks.
  const { second } = await transaction(db, async (tx) => {
    await makeMasterKey(tx, () => seedOf(1))
    const made = makeMasterKey(db, () => seedOf(2))
    made.catch(() => undefined)
    await expect.poll(() => lockWaits(db)).toBe(1)
    return { second: made }
  })
  expect([...(await second)]).toEqual([...seedOf(1)])
  expect([...(await makeMasterKey(db, () => seedOf(3)))]).toEqual([...seedOf(1)])
})
