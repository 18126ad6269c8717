import { expect, test } from 'vitest'
import { type Announcement, matchAnnouncements, type Receipt } from './match-announcements.ts'

const announced: Announcement = { id: 1n, memberId: 10_001n, owner: '0xaa', asset: 'JU', amount: 7n }
const announcements = new Map([
  ['D1', announced],
  ['D2', { ...announced, id: 2n }],
])
const receipt = (payment: Partial<Receipt['payment']> = {}, memberId = 10_001n): Receipt => ({
  payment: { action: 'deposit', reference: 'D1', asset: 'JU', amount: 7n, payer: '0xcc', ...payment },
  memberId,
})
const match = (...receipts: Receipt[]) => matchAnnouncements(receipts, announcements)

test('the owner fulfils it with any amount and asset', () => {
  expect(match(receipt({ payer: '0xaa', amount: 1n, asset: 'HASH' }))).toEqual([1n])
})

test('anybody else fulfils it only with exactly what was announced', () => {
  expect(match(receipt())).toEqual([1n])
  expect(match(receipt({ amount: 6n }))).toEqual([null])
  expect(match(receipt({ asset: 'USDT' }))).toEqual([null])
})

test('no payment fulfils what names another number, another member or another purpose', () => {
  expect(match(receipt({ reference: 'D3' }))).toEqual([null])
  expect(match(receipt({ payer: '0xaa' }, 10_002n))).toEqual([null])
  expect(match(receipt({ payer: '0xaa', action: 'native' }))).toEqual([null])
})

test('the first payment that fits fulfils it; each announcement once', () => {
  expect(match(receipt({ amount: 6n }), receipt(), receipt({ reference: 'D2' }), receipt())).toEqual([
    null,
    1n,
    2n,
    null,
  ])
  expect(announcements.size).toBe(2)
})
