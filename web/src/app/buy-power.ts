import { codes } from '@candela/protocol/codes'
import type { Data } from '@candela/protocol/endpoints'
import { call } from '../api/call.ts'
import { ApiError } from '../api/errors.ts'
import { queryClient } from '../api/use-call.ts'
import { say } from '../i18n/use-translation.ts'
import { showToast } from '../ui/toast.tsx'
import { connectWallet, sendRecharge } from '../wallet/wallet.ts'
import { networkDialog } from './dialogs.ts'
import { createOrderShelf, randomId } from './order-shelf.ts'
import type { OrderInput, OrderWish } from './order-shelf.ts'
import { requiredNetwork, router, session, shelf } from './parts.ts'
import { pay } from './payment.ts'

export const orderShelf = createOrderShelf(shelf, randomId)

type Made = Data<'POST power/getOrder'>

/** Makes an order and has it paid; ends on the order list, where the order stands whatever became of the payment. */
export async function buyPower(wish: OrderWish): Promise<void> {
  if (!(await walletReady())) return
  const input = orderShelf.draft(wish)
  const made = await getOrder(input, () => orderShelf.refused(input.requestId))
  if (made !== null) await payOrder(made)
}

/** Pays an order that was made before, on this device. */
export async function payAgain(orderNo: string): Promise<void> {
  const input = orderShelf.inputOf(orderNo)
  if (input === null || !(await walletReady())) return
  const made = await getOrder(input, () => undefined)
  if (made !== null) await payOrder(made)
}

async function getOrder(input: OrderInput, onRefused: () => void): Promise<Made | null> {
  try {
    const made = await call('POST power/getOrder', input)
    orderShelf.answered(input.requestId, made.order.orderNo)
    return made
  } catch (error) {
    // The message was shown. Where no answer came, the order may exist: the same request is sent the next time.
    if (error instanceof ApiError && meansNoOrder(error.code)) onRefused()
    return null
  }
}

/** A fault of the server or too many requests leave open what happened; every other answer means that no order was made. */
const meansNoOrder = (code: number): boolean =>
  code !== codes.ourFault && code !== codes.slowDown && code !== codes.noSession

async function payOrder({ order: { orderNo }, transaction }: Made): Promise<void> {
  const outcome = await pay(transaction, sendRecharge, (hash) => {
    orderShelf.paymentSent(orderNo, hash, Date.now())
    router.go('/order', { no: orderNo })
  })
  if (outcome === 'refused' || outcome === 'failed') orderShelf.paymentFailed(orderNo)
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => changedByPayment.has(String(queryKey[0])) })
  if (router.place.get().path === '/computing') router.go('/order', { no: orderNo })
}

const changedByPayment = new Set(['GET power/orderList', 'GET power/plans', 'GET user/info', 'GET home/public'])

/** The payment has to come from the account that is signed in, on the right chain. */
async function walletReady(): Promise<boolean> {
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
