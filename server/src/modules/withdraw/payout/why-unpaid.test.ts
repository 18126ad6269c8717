import { afterAll, beforeAll, expect, test } from 'vitest'
import { RpcError } from '../../../chain/client.ts'
import { createTestDatabase, type TestDatabase } from '../../../db/testing.ts'
import { whyUnpaid } from './why-unpaid.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

const at = (number: bigint) => ({ number, hash: `0x${String(number).padStart(64, '0')}` })
const payment = {
  payer: `0x${'aa'.repeat(20)}`,
  terms: { payoutId: `0x${'01'.repeat(32)}`, asset: 'JU' as const, to: `0x${'bb'.repeat(20)}`, amount: 1n },
  transactions: [{ hash: `0x${'cc'.repeat(32)}`, gasPrice: 1n }],
}

/** A node that has blocks up to one, in which our transaction would be. */
const nodeUpTo = (newest: bigint) => ({
  receipt: () => Promise.resolve(null),
  nonceAt: ({ number }: { number: bigint }) =>
    number > newest ? Promise.reject(new RpcError('refused', 'header not found')) : Promise.resolve(1n),
  simulatePayout: () => Promise.reject(new Error('not asked')),
})

test('that a node has no receipt counts only if the node has the block by which the nonce was used', async () => {
  const followed = { tip: { ...at(20n), at: new Date() }, final: at(10n) }
  const ask = (newest: bigint) => whyUnpaid({ db: own.db, chain: nodeUpTo(newest) }, payment, followed)
  await expect(ask(9n)).rejects.toMatchObject({ failure: 'refused' })
  expect(await ask(10n)).toEqual({ reason: 'unpaid', txHash: null })
})
