import { payFor } from '../../payment/pay-for.ts'
import type { Allow } from '../../payment/payment.ts'
import { walletReady } from '../../payment/wallet-ready.ts'
import type { App } from '../../session/app-context.tsx'
import { prepareRecharge } from '../../wallet/wallet.ts'
import type { Detail } from './loan-types.ts'

type Hex = `0x${string}`

/**
 * Has the wallet pay a loan straight to the contract: `recharge("repay", …)` with the loan's number. What is too much becomes
 * balance. Resolves to true when it is in a block.
 */
export async function payFromWallet(
  app: App,
  { loan, onChain }: Detail,
  payment: { amount: bigint; allow: Allow },
  onSent: () => void,
): Promise<boolean> {
  if (!(await walletReady(app))) return false
  const transaction = await prepareRecharge({
    gateway: onChain.gateway as Hex,
    key: 'repay',
    asset: onChain.asset as Hex,
    amount: payment.amount,
    customer: app.session.get().address.toLowerCase() as Hex,
    reference: loan.loanNo,
  })
  return (await payFor(app, loan.loanNo, { transaction, allow: payment.allow }, onSent)) === 'confirmed'
}
