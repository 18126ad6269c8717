import type { AssetCode } from '@candela/protocol/money/assets'
import { payoutPostingId } from '../../chain/crediting/credit-payments.ts'
import { timeOfId, uuidFromName } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import type { Posting } from '../../ledger/post.ts'

/** The facts that the postings of a withdrawal are made of. Amounts in base units. */
export type PostedWithdrawal = {
  withdrawalNo: string
  payoutId: string
  memberId: bigint
  asset: AssetCode
  amount: bigint
  fee: bigint
  to: string
}

const memoOf = ({ withdrawalNo, to }: PostedWithdrawal) => ({ withdrawalNo, to })

/** The id of a payout is a UUID of version 7 and zeros behind it. */
const idOf = ({ payoutId }: PostedWithdrawal, what: 'hold' | 'release'): string =>
  uuidFromName(`withdrawal:${payoutId}:${what}`, timeOfId(payoutId.slice(2, 34)))

/** Sets the whole amount aside. */
export const holdPosting = (withdrawal: PostedWithdrawal, now: Date): Posting => ({
  id: idOf(withdrawal, 'hold'),
  kind: 'withdrawal-hold',
  legs: [{ debit: available(withdrawal), credit: held(withdrawal), amount: withdrawal.amount }],
  memo: memoOf(withdrawal),
  occurredAt: now,
})

/** Gives it back. */
export const releasePosting = (withdrawal: PostedWithdrawal, now: Date): Posting => ({
  id: idOf(withdrawal, 'release'),
  kind: 'withdrawal-release',
  legs: [{ debit: held(withdrawal), credit: available(withdrawal), amount: withdrawal.amount }],
  memo: memoOf(withdrawal),
  occurredAt: now,
})

/** The payment was mined and moved nothing, because of the recipient: the fee is kept for the gas, the rest is given back. */
export const revertedPosting = (
  withdrawal: PostedWithdrawal & { payoutAmount: bigint },
  txHash: string,
  now: Date,
): Posting => {
  const { payoutAmount, fee } = withdrawal
  const returned = { debit: held(withdrawal), credit: available(withdrawal), amount: payoutAmount }
  const gasPaid = { debit: held(withdrawal), credit: platformAccount('fees', withdrawal.asset), amount: fee }
  return {
    id: idOf(withdrawal, 'release'),
    kind: 'withdrawal-reverted',
    legs: fee > 0n ? [returned, gasPaid] : [returned],
    memo: { ...memoOf(withdrawal), txHash },
    occurredAt: now,
  }
}

/** It has left the contract, and the fee is the platform's. Nothing in it depends on the transaction that paid. */
export const payoutPosting = (withdrawal: PostedWithdrawal & { payoutAmount: bigint }, paidAt: Date): Posting => {
  const { asset, payoutAmount, fee } = withdrawal
  const paid = { debit: held(withdrawal), credit: platformAccount('custody', asset), amount: payoutAmount }
  const kept = { debit: held(withdrawal), credit: platformAccount('fees', asset), amount: fee }
  return {
    id: payoutPostingId(withdrawal.payoutId, 0),
    kind: 'withdrawal',
    legs: fee > 0n ? [paid, kept] : [paid],
    memo: memoOf(withdrawal),
    occurredAt: paidAt,
  }
}

const available = ({ memberId, asset }: PostedWithdrawal) => memberAccount(memberId, 'memberAvailable', asset)
const held = ({ memberId, asset }: PostedWithdrawal) => memberAccount(memberId, 'memberHeld', asset)
