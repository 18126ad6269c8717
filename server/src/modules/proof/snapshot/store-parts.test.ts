import { expect, test } from 'vitest'
import { collectParts } from './store-parts.ts'

const nothing = { JU: 0n, USDT: 0n, HASH: 0n }
const none = { balances: { ...nothing, USDT: 5n }, shares: 3n, collateral: { JU: 0n, HASH: 0n }, debt: 0n }

test('parts are kept of a member that has any of them, and of no other', () => {
  const collected = collectParts()
  const positions = [
    { ...none, paidLater: nothing },
    { ...none, paidLater: nothing, debt: 1n },
    { ...none, paidLater: nothing, collateral: { JU: 1n, HASH: 0n } },
    { ...none, paidLater: nothing, collateral: { JU: 0n, HASH: 1n } },
    ...(['JU', 'USDT', 'HASH'] as const).map((asset) => ({ ...none, paidLater: { ...nothing, [asset]: 1n } })),
  ]
  for (const [nth, position] of positions.entries()) collected.add(BigInt(nth), position)
  expect(collected.parts.map(({ memberId }) => memberId)).toEqual([1n, 2n, 3n, 4n, 5n, 6n])
  expect(collected.parts[1]).toEqual({ memberId: 2n, collateral: { JU: 1n, HASH: 0n }, debt: 0n, paidLater: nothing })
})
