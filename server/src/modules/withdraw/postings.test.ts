import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyAmount, anyAsset, changesOf, legTexts, timeOfPosting } from '../testing-postings.ts'
import { holdPosting, payoutPosting, type PostedWithdrawal, releasePosting, revertedPosting } from './postings.ts'

const now = new Date('2026-03-01T00:00:00Z')
const withdrawal: PostedWithdrawal & { payoutAmount: bigint } = {
  withdrawalNo: 'W1',
  payoutId: `0x${'1'.repeat(64)}`,
  memberId: 10_001n,
  asset: 'JU',
  amount: 10n,
  fee: 3n,
  payoutAmount: 7n,
  to: '0xaa',
}
const postings = [
  { kind: 'withdrawal-hold', make: holdPosting },
  { kind: 'withdrawal-release', make: releasePosting },
  { kind: 'withdrawal', make: payoutPosting },
]

describe.each(postings)('$kind', ({ kind, make }) => {
  test('says which withdrawal it is, and when', () => {
    const posting = make(withdrawal, now)
    expect(posting.kind).toBe(kind)
    expect(posting.memo).toEqual({ withdrawalNo: 'W1', to: '0xaa' })
    expect(posting.occurredAt).toEqual(now)
  })

  test('has the id of its payout, whatever the time and the amount', () => {
    const { id } = make(withdrawal, now)
    expect(make({ ...withdrawal, withdrawalNo: 'W2', amount: 11n, payoutAmount: 8n }, new Date(0)).id).toBe(id)
    expect(make({ ...withdrawal, payoutId: `0x${'2'.repeat(64)}` }, now).id).not.toBe(id)
  })
})

test('the three postings of one withdrawal have ids of their own', () => {
  expect(new Set(postings.map(({ make }) => make(withdrawal, now).id)).size).toBe(3)
})

test('what is set aside and given back has an id that begins with the time in the id of the payout', () => {
  const timed = { ...withdrawal, payoutId: `0x01a23059a8007abc8def0123456789ab${'0'.repeat(32)}` }
  const applied = new Date('2026-12-01T06:45:11Z')
  for (const make of [holdPosting, releasePosting]) expect(timeOfPosting(make(timed, now))).toEqual(applied)
  // That of what left the contract is as it always was: a database that reads the chain again finds what it posted.
  expect(payoutPosting(timed, now).id).toBe('af5eaf42-1a44-8cbf-a5db-800d34febd25')
})

test('the whole amount is set aside, and given back', () => {
  const [available, held] = ['member 10001 memberAvailable JU', 'member 10001 memberHeld JU']
  expect(legTexts(holdPosting(withdrawal, now).legs)).toEqual([[available, held, 10n]])
  expect(legTexts(releasePosting(withdrawal, now).legs)).toEqual([[held, available, 10n]])
})

test('what was set aside leaves custody, and the fee is the platform’s; a fee of zero has no leg', () => {
  expect(legTexts(payoutPosting(withdrawal, now).legs)).toEqual([
    ['member 10001 memberHeld JU', 'custody JU', 7n],
    ['member 10001 memberHeld JU', 'fees JU', 3n],
  ])
  expect(legTexts(payoutPosting({ ...withdrawal, fee: 0n, payoutAmount: 10n }, now).legs)).toEqual([
    ['member 10001 memberHeld JU', 'custody JU', 10n],
  ])
})

test('of a payment that reverted the fee is kept; it is the other end of a release, and never beside it', () => {
  const posting = revertedPosting(withdrawal, '0xff', now)
  expect(posting).toMatchObject({ kind: 'withdrawal-reverted', occurredAt: now })
  expect(posting.memo).toEqual({ withdrawalNo: 'W1', to: '0xaa', txHash: '0xff' })
  expect(posting.id).toBe(releasePosting(withdrawal, now).id)
  expect(legTexts(posting.legs)).toEqual([
    ['member 10001 memberHeld JU', 'member 10001 memberAvailable JU', 7n],
    ['member 10001 memberHeld JU', 'fees JU', 3n],
  ])
  expect(legTexts(revertedPosting({ ...withdrawal, fee: 0n, payoutAmount: 10n }, '0xff', now).legs)).toEqual([
    ['member 10001 memberHeld JU', 'member 10001 memberAvailable JU', 10n],
  ])
})

test('held and released changes nothing; held and paid out, the member gives payout and fee', () => {
  const anyFee = fc.oneof(fc.constant(0n), anyAmount)
  fc.assert(
    fc.property(anyAsset, anyAmount, anyFee, (asset, payoutAmount, fee) => {
      const asked = { ...withdrawal, asset, payoutAmount, fee, amount: payoutAmount + fee }
      const hold = holdPosting(asked, now).legs
      expect(changesOf([...hold, ...releasePosting(asked, now).legs])).toEqual({
        [`member 10001 memberAvailable ${asset}`]: 0n,
        [`member 10001 memberHeld ${asset}`]: 0n,
      })
      expect(changesOf([...hold, ...payoutPosting(asked, now).legs])).toEqual({
        [`member 10001 memberAvailable ${asset}`]: -asked.amount,
        [`member 10001 memberHeld ${asset}`]: 0n,
        [`custody ${asset}`]: payoutAmount,
        ...(fee > 0n && { [`fees ${asset}`]: fee }),
      })
    }),
  )
})
