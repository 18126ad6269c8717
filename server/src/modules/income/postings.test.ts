import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountText, anyAmount, changesOf, legTexts, timeOfPosting } from '../testing-postings.ts'
import { incomeSharing, serviceFeePosting } from './postings.ts'

const at = new Date('2026-03-02T00:10:00Z')
const later = new Date('2026-03-03T00:10:00Z')

describe('the service fee of a day', () => {
  test('goes from the revenue pool to the fees, in HASH', () => {
    const posting = serviceFeePosting('2026-03-01', 5n, at)
    expect(legTexts(posting.legs)).toEqual([['revenuePool HASH', 'fees HASH', 5n]])
    expect(posting).toMatchObject({ kind: 'service-fee', occurredAt: at })
    expect(posting.memo).toEqual({ day: '2026-03-01' })
  })

  test('leaves the pool whole: the fees have what it gave', () => {
    fc.assert(
      fc.property(anyAmount, (fee) => {
        const { legs } = serviceFeePosting('2026-03-01', fee, at)
        expect(changesOf(legs)).toEqual({ 'revenuePool HASH': -fee, 'fees HASH': fee })
      }),
    )
  })

  test('has the id of its day, whatever the fee and the time', () => {
    const { id } = serviceFeePosting('2026-03-01', 5n, at)
    expect(serviceFeePosting('2026-03-01', 6n, later).id).toBe(id)
    expect(serviceFeePosting('2026-03-02', 5n, at).id).not.toBe(id)
  })
})

test('the ids of a day begin with its start', () => {
  const start = new Date('2026-12-01T00:00:00Z')
  expect(timeOfPosting(serviceFeePosting('2026-12-01', 5n, later))).toEqual(start)
  expect(timeOfPosting(incomeSharing('2026-12-01', 7n, later))).toEqual(start)
})

describe('the sharing of a day', () => {
  test('goes from the revenue pool to what members can spend', () => {
    const sharing = incomeSharing('2026-03-01', 0n, at)
    expect(accountText(sharing.debit)).toBe('revenuePool HASH')
    expect(sharing).toMatchObject({ kind: 'income', credit: 'memberAvailable', occurredAt: at })
    expect(sharing.memo).toEqual({ day: '2026-03-01' })
  })

  test('has the id of its day and place, whatever the time, and never that of the fee', () => {
    const { id } = incomeSharing('2026-03-01', 0n, at)
    expect(incomeSharing('2026-03-01', 0n, later).id).toBe(id)
    const others = [
      incomeSharing('2026-03-01', 10_001n, at).id,
      incomeSharing('2026-03-02', 0n, at).id,
      serviceFeePosting('2026-03-01', 5n, at).id,
    ]
    expect(new Set([id, ...others]).size).toBe(4)
  })
})
