import type { Data } from '@candela/protocol/endpoints'
import { queryClient } from '../api/use-call.ts'
import { say } from '../i18n/use-translation.ts'
import { showToast } from '../ui/toast.tsx'
import { connectWallet, sendRecharge } from '../wallet/wallet.ts'
import { networkDialog } from './dialogs.ts'
import { moneyCall, type Wish } from './money-call.ts'
import { requiredNetwork, router, session, shelf } from './parts.ts'
import { pay } from './payment.ts'
import { createSentPayments } from './sent-payments.ts'

export const sentPayments = createSentPayments(shelf)

type Order = Data<'POST power/getOrder'>['order']

/** Makes an order and has it paid; ends on the order list, where the order stands whatever became of the payment. */
export async function buyPower(wish: Wish<'POST power/getOrder'>): Promise<void> {
  if (!(await walletReady())) return
  // The message was shown. Where no answer came, the order may exist: the same request is sent the next time.
  const made = await moneyCall('POST power/getOrder', wish).catch(() => null)
  if (made !== null) await payOrder(made.order)
}

/** Pays an order that was made before, here or elsewhere. */
export async function payAgain(order: Order): Promise<void> {
  if (await walletReady()) await payOrder(order)
}

async function payOrder({ orderNo, transaction }: Order): Promise<void> {
  // Its time is up: the list says so as soon as it is read again.
  if (transaction !== null) {
    const outcome = await pay(transaction, sendRecharge, (hash) => {
      sentPayments.sent(orderNo, hash, Date.now())
      router.go('/order', { no: orderNo })
    })
    if (outcome === 'refused' || outcome === 'failed') sentPayments.failed(orderNo)
  }
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => changedByPayment.has(String(queryKey[0])) })
  if (router.place.get().path === '/computing') router.go('/order', { no: orderNo })
}

const changedByPayment = new Set(['GET power/orderList', 'GET power/plans', 'GET user/info', 'GET home/public'])

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
