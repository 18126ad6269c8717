import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { decodeAbiParameters, decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { USDT_PRICE, checkUnits, quoteUnits } from './quote.ts'
import { rechargeTransaction } from './read-orders.ts'
import { termOf } from '../holdings/term.ts'
import * as fc from 'fast-check'

const WHOLE = 10n ** 18n

describe('quote', () => {
  test('paying in USDT is the cost itself', () => {
    expect(quoteUnits(25n * WHOLE, 4, USDT_PRICE)).toEqual({
      costUsdt: 100n * WHOLE,
      payable: 100n * WHOLE,
      price: WHOLE,
    })
  })

  test('paying in JU is rounded up to the next base unit', () => {
    // 10 USDT at 3 USDT per JU: 3.333…4 JU.
    expect(quoteUnits(10n * WHOLE, 1, 3n * WHOLE).payable).toBe(3_333_333_333_333_333_334n)
    expect(quoteUnits(9n * WHOLE, 1, 3n * WHOLE).payable).toBe(3n * WHOLE)
  })

  test('property: the payable amount is worth the cost, and one base unit less is not', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 24n),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.bigInt(1n, 10n ** 24n),
        (unitPrice, units, price) => {
          const { payable, costUsdt } = quoteUnits(unitPrice, units, price)
          expect(costUsdt).toBe(unitPrice * BigInt(units))
          expect(payable * price).toBeGreaterThanOrEqual(costUsdt * WHOLE)
          expect((payable - 1n) * price).toBeLessThan(costUsdt * WHOLE)
        },
      ),
    )
  })

  test('a quantity outside the plan is refused with the figure that it missed', () => {
    const plan = { unitPrice: 1n, minUnits: 5n, maxUnits: 50n, unitsLeft: 20n, closed: false }
    expect(() => checkUnits(plan, 5)).not.toThrow()
    expect(() => checkUnits(plan, 20)).not.toThrow()
    expect(() => checkUnits(plan, 4)).toThrow(expect.objectContaining({ code: 4202, params: { minimum: '5' } }))
    expect(() => checkUnits(plan, 51)).toThrow(expect.objectContaining({ code: 4203, params: { limit: '50' } }))
    expect(() => checkUnits(plan, 21)).toThrow(expect.objectContaining({ code: 4401, params: { left: '20' } }))
    expect(() => checkUnits({ ...plan, closed: true }, 5)).toThrow(expect.objectContaining({ code: 404 }))
  })
})

describe('the transaction that pays', () => {
  const gateway = '0x00000000000000000000000000000000000000a1'
  const usdt = '0x00000000000000000000000000000000000000b2'
  const customer = '0x00000000000000000000000000000000000000c3'

  test.each([
    ['JU', '0x0000000000000000000000000000000000000000', '4000'],
    ['USDT', usdt, '0'],
  ] as const)('in %s decodes to what the contract reads', (asset, paidIn, value) => {
    const payment = { orderNo: '20260301-7K3M9QXTZC', asset, payable: 4000n, customer } as const
    const transaction = rechargeTransaction({ gateway, usdt }, payment)
    expect(transaction).toMatchObject({ chainId: 210_000, to: gateway, abiKey: 'buyPower', value, gas: '1000000' })
    const call = decodeFunctionData({ abi: paymentGatewayAbi, data: transaction.data as `0x${string}` })
    expect(call.functionName).toBe('recharge')
    const [key, parameters] = call.args as [string, `0x${string}`]
    expect(key).toBe('buyPower')
    const decoded = decodeAbiParameters(rechargeDataTypes, parameters)
    expect(decoded.map((each) => String(each).toLowerCase())).toEqual(
      transaction.tuple.map((each) => each.toLowerCase()),
    )
    expect(decoded).toMatchObject([4000n, expect.any(String), expect.any(String), '20260301-7K3M9QXTZC'])
    expect(decoded[1].toLowerCase()).toBe(paidIn)
  })
})

test('a term begins on the next UTC day, also just before midnight and over the end of a month', () => {
  expect(termOf(new Date('2026-02-27T23:59:59.999Z'), 1)).toEqual({ startsOn: '2026-02-28', endsOn: '2026-02-28' })
  expect(termOf(new Date('2026-02-28T00:00:00.000Z'), 30)).toEqual({ startsOn: '2026-03-01', endsOn: '2026-03-30' })
})
