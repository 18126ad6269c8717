import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import type { Address } from 'viem'
import { rechargeCall } from '../../../../chain/payment/recharge-call.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Caller, LoanDeps } from '../deps.ts'
import { readLoan } from '../record/store.ts'

/**
 * Describes what the wallet has to send to pay a loan on chain, from the caller's own address. It promises nothing: what comes in is
 * settled as the loan stands by then, and what is too much becomes balance.
 * @throws AppError 404, 4303
 */
export async function prepareRepayment(
  { db, contracts }: Pick<LoanDeps, 'db' | 'contracts'>,
  { loanNo, amount }: HandlerInput<'GET lending/transaction'>,
  { memberId }: Pick<Caller, 'memberId'>,
): Promise<Data<'GET lending/transaction'>> {
  const { row } = await readLoan(db, { loanNo, memberId })
  if (row.closed_at !== null) throw new AppError(codes.loanState)
  const { address } = await db
    .selectFrom('member')
    .select('address')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  const payment = {
    key: 'repay',
    asset: contracts.usdt,
    amount,
    customer: address as Address,
    reference: loanNo,
  } as const
  return { transaction: rechargeCall(contracts.gateway, payment) }
}
