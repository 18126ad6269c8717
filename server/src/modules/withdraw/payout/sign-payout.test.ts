import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { expect, test } from 'vitest'
import { NOT_AFFORDABLE } from '../../../chain/payout/payout-chain.ts'
import { isCausedByRecipient } from './refusals.ts'
import { decideByRefusal, withMargin } from './sign-payout.ts'

test('only a payment that would succeed is signed', () => {
  expect(decideByRefusal(null)).toBeNull()
})

test.each([
  ['DailyCapExceeded', 'asset'],
  [NOT_AFFORDABLE, 'all'],
  ['EnforcedPause', 'all'],
  ['NotPayer', 'all'],
  ['InExit', 'all'],
  // A node that answered while a block arrived.
  ['CheckpointUnorderedInsertion', 'all'],
  ['AlreadyPaid', 'one'],
  ['ReentrancyGuardReentrantCall', 'one'],
])(
  'what another day, an operator or another answer can change waits, with all that it would refuse: %s',
  (refusal, what) => {
    expect(decideByRefusal(refusal)).toMatchObject({ kind: 'wait', what })
  },
)

test.each([
  ['', 'the payment reverts'],
  ['NativePaymentFailed', 'NativePaymentFailed'],
  ['SafeERC20FailedOperation', 'SafeERC20FailedOperation'],
  ['WrongAmountMoved', 'WrongAmountMoved'],
  ['BadRecipient', 'BadRecipient'],
])('a recipient that cannot be paid fails: "%s"', (refusal, failure) => {
  expect(decideByRefusal(refusal)).toEqual({ kind: 'fail', reason: 'recipient', failure })
})

test('of the contract’s own errors four are caused by a recipient or a token', () => {
  const names = paymentGatewayAbi.flatMap((item) => (item.type === 'error' ? [item.name] : []))
  expect(names.filter(isCausedByRecipient)).toEqual([
    'BadRecipient',
    'NativePaymentFailed',
    'SafeERC20FailedOperation',
    'WrongAmountMoved',
  ])
})

test('a quarter more than the gas price of the node is offered, and never the price itself', () => {
  expect([0n, 1n, 100n, 1_000_000_000n].map(withMargin)).toEqual([1n, 2n, 126n, 1_250_000_001n])
})
