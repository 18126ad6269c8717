import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyAmount, anyAsset, changesOf, legTexts, timeOfPosting } from '../testing-postings.ts'
import { exchangePosting, type PostedExchange } from './postings.ts'

const now = new Date('2026-03-01T00:00:00Z')
const exchange: PostedExchange = {
  exchangeNo: 'E1',
  quoteNo: 'Q1',
  memberId: 10_001n,
  from: 'JU',
  to: 'USDT',
  amountIn: 1_000n,
  received: 197n,
  fee: 3n,
}

describe('the posting of an exchange', () => {
  test('the desk takes one asset, gives the other, and gives the fee', () => {
    expect(legTexts(exchangePosting(exchange, now).legs)).toEqual([
      ['member 10001 memberAvailable JU', 'deskInventory JU', 1_000n],
      ['deskInventory USDT', 'member 10001 memberAvailable USDT', 197n],
      ['deskInventory USDT', 'fees USDT', 3n],
    ])
  })

  test('its id begins with the day of the quote', () => {
    const posting = exchangePosting({ ...exchange, quoteNo: '20261201ABCDEFGHJK' }, now)
    expect(timeOfPosting(posting)).toEqual(new Date('2026-12-01T00:00:00Z'))
  })

  test('has no leg for a fee of zero', () => {
    expect(legTexts(exchangePosting({ ...exchange, fee: 0n }, now).legs)).toEqual([
      ['member 10001 memberAvailable JU', 'deskInventory JU', 1_000n],
      ['deskInventory USDT', 'member 10001 memberAvailable USDT', 197n],
    ])
  })

  test('says which exchange it is, and when', () => {
    const posting = exchangePosting(exchange, now)
    expect(posting.kind).toBe('exchange')
    expect(posting.memo).toEqual({ exchangeNo: 'E1', quoteNo: 'Q1', from: 'JU', to: 'USDT' })
    expect(posting.occurredAt).toEqual(now)
  })

  test('has the id of its quote and of nothing else', () => {
    const { id } = exchangePosting(exchange, now)
    expect(exchangePosting({ ...exchange, exchangeNo: 'E2', received: 1n }, new Date(0)).id).toBe(id)
    expect(exchangePosting({ ...exchange, quoteNo: 'Q2' }, now).id).not.toBe(id)
  })

  test('what the member gives the desk has, and what the desk gives is received or fee', () => {
    const assets = fc.tuple(anyAsset, anyAsset).filter(([from, to]) => from !== to)
    const anyFee = fc.oneof(fc.constant(0n), anyAmount)
    fc.assert(
      fc.property(assets, anyAmount, anyAmount, anyFee, ([from, to], amountIn, received, fee) => {
        const { legs } = exchangePosting({ ...exchange, from, to, amountIn, received, fee }, now)
        expect(changesOf(legs)).toEqual({
          [`member 10001 memberAvailable ${from}`]: -amountIn,
          [`deskInventory ${from}`]: amountIn,
          [`member 10001 memberAvailable ${to}`]: received,
          [`deskInventory ${to}`]: -(received + fee),
          ...(fee > 0n && { [`fees ${to}`]: fee }),
        })
      }),
    )
  })
})
