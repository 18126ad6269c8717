import { expect, test } from 'vitest'
import { WHOLE_UNIT } from '../units.ts'
import { owedByParts, type OwedParts, owedParts, savedProof } from './owed-parts.ts'
import { proofOf } from './testing.ts'

const none = { USDT: '0', HASH: '0', JU: '0' }
const parts = (changed: Partial<OwedParts> = {}): OwedParts => ({
  day: '2026-11-22',
  ledgerSequence: '16385',
  available: none,
  held: none,
  shares: '0',
  fund: { assets: '0', shares: '0' },
  prices: { JU: null, HASH: null },
  collateral: { JU: '0', HASH: '0' },
  debt: '0',
  paidLater: none,
  ...changed,
})
const whole = (amount: number) => String(BigInt(amount) * WHOLE_UNIT)

test('what can be spent, what is set aside and what was paid later is owed, to the base unit', () => {
  const all = parts({
    available: { USDT: '5', HASH: '7', JU: '11' },
    held: { USDT: '100', HASH: '200', JU: '300' },
    paidLater: { USDT: '1000', HASH: '2000', JU: '3000' },
  })
  expect(owedByParts(all)).toEqual([1105n, 2207n, 3311n])
})

test('fund shares count at what they are worth, and a debt takes USDT first, then collateral at its price', () => {
  const borrower = parts({
    available: { ...none, USDT: whole(10) },
    shares: whole(20),
    // A share is worth 1.5 USDT; the virtual amounts make it a base unit less than that.
    fund: { assets: whole(150), shares: whole(100) },
    prices: { JU: whole(2), HASH: whole(1) },
    collateral: { JU: whole(30), HASH: whole(5) },
  })
  const worth = (20n * WHOLE_UNIT * (150n * WHOLE_UNIT + 10n ** 9n)) / (100n * WHOLE_UNIT + 10n ** 9n)
  const usdt = 10n * WHOLE_UNIT + worth
  expect(owedByParts(borrower)).toEqual([usdt, 5n * WHOLE_UNIT, 30n * WHOLE_UNIT])
  expect(owedByParts({ ...borrower, debt: whole(30) })[0]).toBe(usdt - 30n * WHOLE_UNIT)
  const deep = owedByParts({ ...borrower, debt: String(usdt + 20n * WHOLE_UNIT) })
  expect(deep).toEqual([0n, 5n * WHOLE_UNIT, 20n * WHOLE_UNIT])
  const unpriced = { ...borrower, prices: { JU: null, HASH: whole(1) }, debt: String(usdt + 2n * WHOLE_UNIT) }
  expect(owedByParts(unpriced)).toEqual([0n, 3n * WHOLE_UNIT, 30n * WHOLE_UNIT])
})

test('a saved proof may have its parts beside it, and one without them is as good as before', () => {
  const proof = proofOf([{ member: `0x${'ab'.repeat(20)}`, owed: [5n, 0n, 0n], salt: new Uint8Array(32) }], 0)
  expect(savedProof.parse(proof)).toEqual(proof)
  expect(savedProof.parse({ ...proof, parts: parts() }).parts).toEqual(parts())
  expect(savedProof.safeParse({ ...proof, parts: { ...parts(), debt: '-1' } }).success).toBe(false)
  expect(owedParts.safeParse({ ...parts(), shares: '1.5' }).success).toBe(false)
})
