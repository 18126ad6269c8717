import { expect, test } from 'vitest'
import { type Entry, mergeEntries } from './merge-entries.ts'

const entry = (id: string, part: Entry['part'], amount: string, balance: string): Entry => ({
  id,
  kind: 'interest',
  label: 'Interest charged · Interest',
  part,
  amount,
  balance,
  day: '2026-11-23',
  txHash: null,
  bookedAt: '2026-11-23T00:10:00.000Z',
  at: '2026-11-23T00:10:00.000Z',
})

test('what goes to fund and reserve at once is one entry, with the balance after it', () => {
  const day = 'a0000000-0000-4000-8000-00000000000b'
  const next = 'a0000000-0000-4000-8000-00000000000c'
  const merged = mergeEntries([
    entry(`${next}-1`, 'interest', '0.1', '0.272602'),
    entry(`${day}-2`, 'interest', '0.01726', '0.172602'),
    entry(`${day}-1`, 'interest', '0.155342', '0.155342'),
    entry(`${day}-0`, 'principal', '-7', '3'),
  ])
  expect(merged.map(({ amount, balance }) => [amount, balance])).toEqual([
    ['0.1', '0.272602'],
    ['0.172602', '0.172602'],
    ['-7', '3'],
  ])
})
