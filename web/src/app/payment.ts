import { say } from '../i18n/use-translation.ts'
import { closeToast, showToast } from '../ui/toast.tsx'
import { WalletError } from '../wallet/errors.ts'
import type { RechargeTransaction, WalletModule } from '../wallet/types.ts'

export type PaymentOutcome = 'confirmed' | 'still-checking' | 'refused' | 'failed'

/**
 * Walks one payment through its stages and says each: asked, on its way, on chain. A time-out is not a failure: the
 * payment may yet be mined, and the order list will show it.
 */
export async function pay(
  transaction: RechargeTransaction,
  send: WalletModule['sendRecharge'],
  onSent: (hash: `0x${string}`) => void,
): Promise<PaymentOutcome> {
  showToast('loading', say('pay.confirming'))
  try {
    const outcome = await send(transaction, {
      sent(hash) {
        showToast('loading', say('pay.onChain'))
        onSent(hash)
      },
    })
    if (outcome === 'confirmed') closeToast()
    else showToast('plain', say('pay.stillChecking'))
    return outcome
  } catch (error) {
    showToast('error', say('pay.failed'))
    return error instanceof WalletError && error.kind === 'refused' ? 'refused' : 'failed'
  }
}
