import type { Data } from '@candela/protocol/endpoints'
import { invalidate } from '../api/use-read.ts'
import type { CommandInput } from '../command/command-keys.ts'
import { sendCommand } from '../command/send-command.ts'
import type { App } from '../session/app-context.tsx'
import { type Allow, payFor } from './payment.ts'
import { walletReady } from './wallet-ready.ts'

type Order = Data<'POST power/getOrder'>['order']

/**
 * Makes an order and has it paid; ends on the order list, which shows the order whatever became of the payment. An order
 * without reserved units is paid at once only by a buyer who was told so (`isReserved` false); else the order list says it first.
 */
export async function buyPower(
  app: App,
  input: CommandInput<'POST power/getOrder'>,
  { allow, isReserved }: { allow: Allow; isReserved: boolean },
): Promise<void> {
  if (!(await walletReady(app))) return
  // What went wrong was said.
  const made = await sendCommand(app, 'POST power/getOrder', input).catch(() => null)
  if (made === null) return
  if (isReserved && !made.order.isReserved) await showOrders(app, made.order.orderNo)
  else await payOrder(app, made.order, allow)
}

/** Pays an order that was made before, here or elsewhere. */
export async function payAgain(app: App, order: Order): Promise<void> {
  if (await walletReady(app)) await payOrder(app, order)
}

async function payOrder(app: App, { orderNo, transaction }: Order, allow: Allow = 'exact'): Promise<void> {
  // Without a transaction the time to pay is over: the list shows it as soon as it is read again.
  if (transaction !== null)
    await payFor(app, { purpose: 'order', reference: orderNo, transaction, allow }, () =>
      app.router.go('/order', { no: orderNo }),
    )
  await showOrders(app, orderNo)
}

async function showOrders(app: App, orderNo: string): Promise<void> {
  await invalidate('GET power/orderList', 'GET power/plans', 'GET user/info', 'GET home/public')
  if (app.router.place.get().path === '/computing') app.router.go('/order', { no: orderNo })
}
