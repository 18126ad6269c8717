import type { Data } from '@candela/protocol/endpoints'
import type { AssetCode } from '@candela/protocol/money/assets'
import { toBaseUnits } from '@candela/protocol/money/money'
import { call } from '../api/call.ts'
import { invalidate } from '../api/use-read.ts'
import type { CommandInput } from '../command/command-keys.ts'
import { sendCommand } from '../command/send-command.ts'
import type { App } from '../session/app-context.tsx'
import { WalletError } from '../wallet/errors.ts'
import { onlyOne, untilNone } from './once/only-one.ts'
import type { Again } from './once/paid-already.ts'
import { type Allow, payFor } from './payment.ts'
import { showWalletProblem } from './wallet-problem.ts'
import { walletReady } from './wallet-ready.ts'

type Order = Data<'POST power/getOrder'>['order']

/**
 * Makes an order and has it paid; ends on the order list, which shows the order whatever became of the payment. An order
 * without reserved units is paid at once only by a buyer who was told so (`isReserved` false); else the order list says it first.
 */
export async function buyPower(
  app: App,
  input: CommandInput<'POST power/getOrder'> & { asset: AssetCode; maxPayable: string },
  { allow, isReserved }: { allow: Allow; isReserved: boolean },
): Promise<void> {
  await onlyOne(app, 'buy power', undefined, async () => {
    if (!(await walletReady(app))) return
    // The failure has been told already.
    const made = await sendCommand(app, 'POST power/getOrder', input).catch(() => null)
    if (made === null) return
    const { order } = made
    if (order.asset !== input.asset || toBaseUnits(order.payable) > toBaseUnits(input.maxPayable))
      showWalletProblem(app, new WalletError('altered', 'The order costs more than was shown'), 'payment')
    else if (isReserved && !order.isReserved) await showOrders(app, order.orderNo)
    else await payOrder(app, order, { allow })
  })
}

/** Pays an order that was made before, here or elsewhere. `anyway`: though it may be paid already. */
export async function payAgain(app: App, order: Order, anyway = false): Promise<void> {
  const again = { isOpen: () => isPending(order.orderNo), payAnyway: () => void payAgain(app, order, true) }
  if (anyway) await untilNone(app, order.orderNo)
  await onlyOne(app, order.orderNo, undefined, async () => {
    if (await walletReady(app)) await payOrder(app, order, anyway ? {} : { again })
  })
}

/** @throws where the service cannot be asked */
async function isPending(wanted: string): Promise<boolean | null> {
  const { items } = await call('GET power/orderList', { limit: '50' }, { transportInPlace: true })
  const order = items.find(({ orderNo }) => orderNo === wanted)
  return order === undefined ? null : order.state === 'pending'
}

type Ways = { allow?: Allow; again?: Again }

async function payOrder(app: App, order: Order, ways: Ways): Promise<void> {
  const { orderNo, transaction, asset, payable } = order
  // Without a transaction the time to pay is over: the list shows it as soon as it is read again.
  if (transaction !== null)
    await payFor(
      app,
      { purpose: 'order', reference: orderNo, asset, amount: toBaseUnits(payable), prepared: transaction, ...ways },
      () => app.router.go('/order', { no: orderNo }),
    )
  await showOrders(app, orderNo)
}

async function showOrders(app: App, orderNo: string): Promise<void> {
  await invalidate('GET power/orderList', 'GET power/plans', 'GET user/info', 'GET home/public')
  if (app.router.place.get().path === '/computing') app.router.go('/order', { no: orderNo })
}
