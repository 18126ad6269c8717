import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { rechargeTransaction } from '@candela/protocol/endpoints/payment'
import { decodeAbiParameters, decodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { prepareRecharge } from './recharge.ts'

const payment = {
  gateway: '0x00000000000000000000000000000000000000aa',
  key: 'repay',
  asset: '0x00000000000000000000000000000000000000bb',
  amount: 12_500_000_000_000_000_000n,
  customer: '0x00000000000000000000000000000000000000cc',
  reference: 'LOAN0001',
} as const

test('a repayment says to the contract what is paid, for whom and for which loan', () => {
  const transaction = prepareRecharge(payment)
  expect(rechargeTransaction.parse(transaction)).toEqual(transaction)
  expect([transaction.to, transaction.value]).toEqual([payment.gateway, '0'])
  const { functionName, args } = decodeFunctionData({
    abi: paymentGatewayAbi,
    data: transaction.data as `0x${string}`,
  })
  expect([functionName, args?.[0]]).toEqual(['recharge', 'repay'])
  const [amount, asset, customer, reference] = decodeAbiParameters(rechargeDataTypes, args?.[1] as `0x${string}`)
  expect([amount, asset.toLowerCase(), customer.toLowerCase(), reference]).toEqual([
    payment.amount,
    payment.asset,
    payment.customer,
    'LOAN0001',
  ])
})

test('the chain’s own currency travels as value', () => {
  expect(prepareRecharge({ ...payment, asset: NATIVE_ASSET }).value).toBe('12500000000000000000')
})
