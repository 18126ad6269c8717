import { type App, oncePerApp } from '../session/app-context.tsx'
import { readAllowance, sendApproval, sendRecharge } from '../wallet/wallet.ts'
import { pay, type PaymentOutcome } from './payment.ts'
import { createSentPayments } from './sent-payments.ts'
import { refreshWalletFigures } from './wallet-figures.ts'

export const sentPayments = oncePerApp(({ storage }) => createSentPayments(storage))

/** Has the wallet pay, and remembers under `reference` that the payment was sent. */
export async function payFor(
  app: App,
  reference: string,
  payment: Parameters<typeof pay>[1],
  onSent: () => void,
): Promise<PaymentOutcome> {
  const outcome = await pay({ readAllowance, sendApproval, sendRecharge }, payment, (hash) => {
    sentPayments(app).sent(reference, hash, Date.now())
    onSent()
  })
  if (outcome === 'refused' || outcome === 'failed') sentPayments(app).failed(reference)
  await refreshWalletFigures()
  return outcome
}
