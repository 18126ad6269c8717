import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { serverNow } from '../../api/server-time.ts'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { call } from '../../api/call.ts'
import { onlyOne, untilNone } from '../../payment/once/only-one.ts'
import type { Again } from '../../payment/once/paid-already.ts'
import { type Allow, payByTransfer, payFor, sentPayments } from '../../payment/payment.ts'
import { walletReady } from '../../payment/wallet-ready.ts'
import type { App } from '../../session/app-context.tsx'
import type { RechargeTransaction } from '../../wallet/types.ts'

type Wanted = { asset: AssetCode; amount: bigint; allow: Allow }
type Announced = Omit<Wanted, 'allow'> & { reference: string; prepared: RechargeTransaction }

/** Announces a deposit and has the wallet pay it. @returns whether it was announced: the list shows what became of it */
export async function payAnnounced(app: App, { asset, amount, allow }: Wanted): Promise<boolean> {
  return await onlyOne(app, 'deposit', false, async () => {
    if (!(await walletReady(app))) return false
    // The failure has been told already.
    const made = await sendCommand(app, 'POST deposit/getOrder', { asset, amount: fromBaseUnits(amount) }).catch(
      () => null,
    )
    if (made === null) return false
    const { deposit, transaction } = made
    await send(app, { reference: deposit.depositNo ?? '', asset, amount, prepared: transaction }, { allow })
    return true
  })
}

/** Has the wallet pay a deposit that was announced before, here or elsewhere. `anyway`: though it may be paid already. */
export async function payDeposit(app: App, announced: Announced, anyway = false): Promise<void> {
  const { reference } = announced
  const again = { isOpen: () => isAnnounced(reference), payAnyway: () => void payDeposit(app, announced, true) }
  if (anyway) await untilNone(app, reference)
  await onlyOne(app, reference, undefined, async () => {
    if (await walletReady(app)) await send(app, announced, anyway ? {} : { again })
  })
}

/** @throws where the service cannot be asked */
async function isAnnounced(depositNo: string): Promise<boolean | null> {
  const { items } = await call('GET deposit/list', { depositNo }, { transportInPlace: true })
  const deposit = items.find((each) => each.depositNo === depositNo)
  return deposit === undefined ? null : deposit.state === 'announced' || deposit.state === 'lapsed'
}

type Ways = { allow?: Allow; again?: Again }

async function send(app: App, announced: Announced, ways: Ways): Promise<void> {
  refreshDeposits()
  await payFor(app, { purpose: 'deposit', ...announced, ...ways }, refreshDeposits)
  refreshDeposits()
}

type Plain = { to: `0x${string}`; amount: bigint }

/**
 * Has the wallet send JU straight to the contract, which counts for whoever sends it: no number, no call data.
 * @returns whether it is paid or may yet be
 */
export async function payPlainly(app: App, plain: Plain, anyway = false): Promise<boolean> {
  const from = app.session.get().address.toLowerCase() as `0x${string}`
  if (anyway) await untilNone(app, plainTransfersOf(from))
  return await onlyOne(app, plainTransfersOf(from), true, async () => {
    if (!(await walletReady(app))) return false
    const sent = sentPayments(app)
    const open = sent.askedFor(plainTransfersOf(from), serverNow())
    // One that the wallet was asked for before, and whose end is not known.
    const again = { isOpen: () => Promise.resolve(null), payAnyway: () => void payPlainly(app, plain, true) }
    const reference = open?.reference ?? `${plainTransfersOf(from)}${crypto.randomUUID()}`
    const transfer = { from, to: plain.to, value: plain.amount }
    const ways = anyway || open === null ? {} : { again }
    const outcome = await payByTransfer(app, { purpose: 'deposit', reference, transfer, ...ways }, refreshDeposits)
    if (outcome === 'confirmed') sent.forget(reference)
    refreshDeposits()
    // A deposit that may yet be paid is in the list below; a form that stays filled would invite to pay it twice.
    return outcome !== 'unpaid'
  })
}

/** Plain transfers have no number of the server's, so each gets one of its own under its sender. */
const plainTransfersOf = (address: string): string => `native:${address.toLowerCase()}:`

/** Hashes of the account's plain transfers that were sent a moment ago, newest first. */
export const plainTransfersSent = (app: App): string[] =>
  sentPayments(app).hashesOf(plainTransfersOf(app.session.get().address), serverNow())

function refreshDeposits(): void {
  void invalidateAccount('GET deposit/list')
}
