import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../../db/open.ts'
import { createTestDatabase, lockWaits, type TestDatabase } from '@candela/testing/postgres/test-database'
import { lockPayer, type NoNonce, useNonce } from './payer-nonce.ts'

const payer = `0x${'b'.repeat(40)}`
/** Only we have sent anything. */
const nothingSent = { nonceNow: 0n, nonceFinal: 0n }

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

test('a second worker gets no nonce before the first has used its own', async () => {
  await transaction(own.db, (tx) => lockPayer(tx, payer, nothingSent))
  const nonces: (bigint | NoNonce)[] = []
  let second: Promise<unknown> = Promise.resolve()
  await transaction(own.db, async (tx) => {
    nonces.push(await lockPayer(tx, payer, nothingSent))
    second = transaction(own.db, async (other) => nonces.push(await lockPayer(other, payer, nothingSent)))
    await expect.poll(async () => nonces.length > 1 || (await lockWaits(own.db)) > 0).toBe(true)
    await useNonce(tx, payer, 0n)
  })
  await second
  expect(nonces).toEqual([0n, 1n])
})
