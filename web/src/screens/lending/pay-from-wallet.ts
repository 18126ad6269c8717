import { fromBaseUnits } from '@candela/protocol/money/money'
import { call } from '../../api/call.ts'
import { type Allow, payFor } from '../../payment/payment.ts'
import { walletReady } from '../../payment/wallet-ready.ts'
import type { App } from '../../session/app-context.tsx'

/**
 * Has the wallet pay a loan straight to the contract: `recharge("repay", …)` with the loan's number. What is too much becomes
 * balance. Resolves to true when it is in a block.
 */
export async function payFromWallet(
  app: App,
  { loanNo, amount, allow }: { loanNo: string; amount: bigint; allow: Allow },
  onSent: () => void,
): Promise<boolean> {
  if (!(await walletReady(app))) return false
  const wanted = { loanNo, amount: fromBaseUnits(amount) }
  // The message was shown, and nothing was sent.
  const prepared = await call('GET lending/transaction', wanted).catch(() => null)
  if (prepared === null) return false
  const { transaction } = prepared
  return (await payFor(app, { purpose: 'repayment', reference: loanNo, transaction, allow }, onSent)) === 'confirmed'
}
