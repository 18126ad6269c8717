import type { Data } from '@candela/protocol/endpoints'
import { readAgain } from '../api/use-call.ts'
import { say } from '../i18n/use-translation.ts'
import { showToast } from '../ui/overlay/toast.tsx'
import { connectWallet, readAllowance, sendApproval, sendRecharge } from '../wallet/wallet.ts'
import { networkDialog } from '../shell/dialogs.ts'
import { moneyCall, type Wish } from '../command/money-call.ts'
import { requiredNetwork, router, session, shelf } from '../shell/create-app.ts'
import { type Allow, pay, type PaymentOutcome } from './payment.ts'
import { createSentPayments } from './sent-payments.ts'
import { refreshWalletFigures } from './wallet-figures.ts'

export const sentPayments = createSentPayments(shelf)

type Order = Data<'POST power/getOrder'>['order']

/** Makes an order and has it paid; ends on the order list, where the order stands whatever became of the payment. */
export async function buyPower(wish: Wish<'POST power/getOrder'>, allow: Allow): Promise<void> {
  if (!(await walletReady())) return
  // The message was shown. Where no answer came, the order may exist: the same request is sent the next time.
  const made = await moneyCall('POST power/getOrder', wish).catch(() => null)
  if (made !== null) await payOrder(made.order, allow)
}

/** Pays an order that was made before, here or elsewhere. */
export async function payAgain(order: Order): Promise<void> {
  if (await walletReady()) await payOrder(order)
}

async function payOrder({ orderNo, transaction }: Order, allow: Allow = 'exact'): Promise<void> {
  // Its time is up: the list says so as soon as it is read again.
  if (transaction !== null) {
    await payFor(orderNo, { transaction, allow }, () => router.go('/order', { no: orderNo }))
  }
  await readAgain('GET power/orderList', 'GET power/plans', 'GET user/info', 'GET home/public')
  if (router.place.get().path === '/computing') router.go('/order', { no: orderNo })
}

/** Has the wallet pay, and remembers by what it pays for that it is on its way. */
export async function payFor(
  reference: string,
  payment: Parameters<typeof pay>[1],
  onSent: () => void,
): Promise<PaymentOutcome> {
  const outcome = await pay({ readAllowance, sendApproval, sendRecharge }, payment, (hash) => {
    sentPayments.sent(reference, hash, Date.now())
    onSent()
  })
  if (outcome === 'refused' || outcome === 'failed') sentPayments.failed(reference)
  await refreshWalletFigures()
  return outcome
}

/** The payment has to come from the account that is signed in, on the right chain. */
export async function walletReady(): Promise<boolean> {
  try {
    const { address, chainId } = await connectWallet()
    const network = await requiredNetwork()
    if (chainId !== Number(network.chainId)) {
      networkDialog.set(network)
      return false
    }
    if (address?.toLowerCase() === session.get().address.toLowerCase()) return true
    showToast('error', say('pay.otherAccount'))
    return false
  } catch {
    showToast('error', say('wallet.failed'))
    return false
  }
}
