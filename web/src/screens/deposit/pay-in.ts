import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { serverNow } from '../../api/server-time.ts'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { type Allow, payByTransfer, payFor, sentPayments } from '../../payment/payment.ts'
import { walletReady } from '../../payment/wallet-ready.ts'
import type { App } from '../../session/app-context.tsx'
import type { RechargeTransaction } from '../../wallet/types.ts'

type Wanted = { asset: AssetCode; amount: bigint; allow: Allow }
type Announced = { reference: string; transaction: RechargeTransaction; allow: Allow }

/** Announces a deposit and has the wallet pay it. @returns whether it was announced: the list shows what became of it */
export async function payAnnounced(app: App, { asset, amount, allow }: Wanted): Promise<boolean> {
  if (!(await walletReady(app))) return false
  // What went wrong was said.
  const made = await sendCommand(app, 'POST deposit/getOrder', { asset, amount: fromBaseUnits(amount) }).catch(
    () => null,
  )
  if (made === null) return false
  const { deposit, transaction } = made
  await send(app, { reference: deposit.depositNo ?? transaction.tuple[3], transaction, allow })
  return true
}

/** Has the wallet pay a deposit that was announced before, here or elsewhere. */
export async function payDeposit(app: App, announced: Announced): Promise<void> {
  if (await walletReady(app)) await send(app, announced)
}

async function send(app: App, announced: Announced): Promise<void> {
  refreshDeposits()
  await payFor(app, { purpose: 'deposit', ...announced }, refreshDeposits)
  refreshDeposits()
}

/**
 * Has the wallet send JU straight to the contract, which counts for whoever sends it: no number, no call data.
 * @returns whether it is paid or may yet be
 */
export async function payPlainly(app: App, { to, amount }: { to: `0x${string}`; amount: bigint }): Promise<boolean> {
  if (!(await walletReady(app))) return false
  const from = app.session.get().address.toLowerCase() as `0x${string}`
  const reference = `${plainTransfersOf(from)}${crypto.randomUUID()}`
  const transfer = { from, to, value: amount }
  const outcome = await payByTransfer(app, { purpose: 'deposit', reference, transfer }, refreshDeposits)
  refreshDeposits()
  // What may yet be paid is in the list below; a form that stays filled would invite to pay it twice.
  return outcome !== 'unpaid'
}

/** Plain transfers have no number of the server's, so each gets one of its own under its sender. */
const plainTransfersOf = (address: string): string => `native:${address.toLowerCase()}:`

/** Hashes of the account's plain transfers that were sent a moment ago, newest first. */
export const plainTransfersSent = (app: App): string[] =>
  sentPayments(app).hashesOf(plainTransfersOf(app.session.get().address), serverNow())

function refreshDeposits(): void {
  void invalidateAccount('GET deposit/list')
}
