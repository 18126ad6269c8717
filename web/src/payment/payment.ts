import type { AssetCode } from '@candela/protocol/money/assets'
import { serverNow } from '../api/server-time.ts'
import type { PlainKey } from '../i18n/translate.ts'
import { translate } from '../i18n/use-translation.ts'
import { type App, oncePerApp } from '../session/app-context.tsx'
import { closeToast, showToast } from '../ui/overlay/toast.tsx'
import type {
  Approval,
  NativeTransfer,
  RechargeTransaction,
  SendEvents,
  SendOutcome,
  Waiting,
} from '../wallet/types.ts'
import { WalletError, type WalletErrorKind } from '../wallet/errors.ts'
import { readAllowance, readBalance, sendApproval, sendNative, sendRecharge } from '../wallet/wallet.ts'
import { type Again, isPerhapsPaid } from './once/paid-already.ts'
import { createSentPayments } from './once/sent-payments.ts'
import { refreshWalletFigures } from './wallet-figures.ts'
import { showWalletProblem } from './wallet-problem.ts'
import { stopWaiting } from './wallet-ready.ts'

export const sentPayments = oncePerApp(({ storage }) => createSentPayments(storage))

/** The purpose of a payment, by which people know it. */
export type Purpose = 'order' | 'deposit' | 'repayment'

const abiKeys = { order: 'buyPower', deposit: 'deposit', repayment: 'repay' } as const

/** `again`: it was offered before, so that it may be paid already; undefined once the person wants to pay all the same. */
type Reference = { purpose: Purpose; reference: string; again?: Again | undefined }
/** The payment that the person was shown, `amount` in base units, and what the service has prepared for it. */
type Payment = Reference & { asset: AssetCode; amount: bigint; prepared: RechargeTransaction; allow?: Allow }

/** `unsure`: it may still be paid, by a receipt that comes late or by a prompt that the person no longer waits for. */
export type PaymentOutcome = 'confirmed' | 'unsure' | 'unpaid'

/** How much the contract is allowed to take where it may not take enough yet. */
export type Allow = 'exact' | 'max'

/** The largest allowance; most tokens never reduce it. */
const MAX_ALLOWANCE = 2n ** 256n - 1n

/** After these the wallet may have sent it all the same. */
const unsureKinds: readonly WalletErrorKind[] = ['given-up', 'unknown', 'gone', 'left-chain']

/**
 * Takes one payment through its steps and shows each: whether it is paid already, balance, allowance, confirmation in the wallet, sent,
 * in a block. Remembers under the reference that it was asked for and sent. A time-out is not a failure: the payment may yet be mined,
 * and the lists will show it.
 */
export async function payFor(app: App, payment: Payment, onSent: () => void): Promise<PaymentOutcome> {
  const { purpose, reference, asset, amount, prepared } = payment
  const customer = payerOf(app)
  if (await isStopped(app, payment)) return 'unsure'
  try {
    await expectEnough(asset === 'JU' ? null : (prepared.tuple[1] as Hex), customer, amount)
    const approval = await missingAllowance(payment, customer)
    if (approval !== null) {
      const allowed = await showProgress(approving, (on) => sendApproval(approval, on), { sent: () => {} })
      // Without the allowance the payment would fail, so it is not sent until that is known.
      if (allowed === 'still-checking') return 'unsure'
    }
  } catch (error) {
    return unsureKinds.includes(showWalletProblem(app, error, 'approval')) ? 'unsure' : 'unpaid'
  } finally {
    await refreshWalletFigures()
  }
  const terms = { abiKey: abiKeys[purpose], asset, amount, customer, reference }
  const outcome = await sendFor(app, payment, (on) => sendRecharge({ terms, prepared }, on), onSent)
  // A proof that somebody opens later has to be of the same contract.
  if (outcome === 'confirmed' && app.storage.get('gateway') === null)
    app.storage.set('gateway', prepared.to.toLowerCase())
  return outcome
}

/** The same for a plain transfer of the chain's own currency. */
export async function payByTransfer(
  app: App,
  payment: Reference & { transfer: NativeTransfer },
  onSent: () => void,
): Promise<PaymentOutcome> {
  const { transfer } = payment
  if (await isStopped(app, payment)) return 'unsure'
  try {
    await expectEnough(null, transfer.from, transfer.value)
  } catch (error) {
    showWalletProblem(app, error, 'payment')
    return 'unpaid'
  }
  return await sendFor(app, payment, (on) => sendNative(transfer, on), onSent)
}

const payerOf = ({ session }: App): Hex => session.get().address.toLowerCase() as Hex

const isStopped = async (app: App, { reference, again }: Reference): Promise<boolean> =>
  again !== undefined && (await isPerhapsPaid(again, payerOf(app), sentPayments(app).askedFor(reference, serverNow())))

/** Wallets tell too little of a token and too little for the network fee in the same words. @throws WalletError */
async function expectEnough(token: Hex | null, owner: Hex, amount: bigint): Promise<void> {
  const balance = await readBalance(token, owner).catch(() => null)
  if (balance === null || balance >= amount) return
  throw new WalletError(token === null ? 'no-gas' : 'no-token', `The wallet has ${balance} of ${amount}`)
}

async function sendFor(
  app: App,
  { reference, purpose }: Reference,
  send: (on: SendEvents & Waiting) => Promise<SendOutcome>,
  onSent: () => void,
): Promise<PaymentOutcome> {
  const sent = sentPayments(app)
  const before = sent.askedFor(reference, serverNow())
  const noLonger = sent.waitFor(reference)
  try {
    const outcome = await showProgress({ ...paying, late: `pay.stillChecking.${purpose}` }, send, {
      asked: (nonce) => sent.asked({ reference, at: serverNow(), nonce }),
      sent(hash, late) {
        if (hash !== null) sent.sent(reference, hash, serverNow())
        if (!late) onSent()
      },
      // A wallet may name another transaction than the one that pays, such as one that a service sends for it.
      seen: sent.whenSeen(reference),
    })
    return outcome === 'confirmed' ? 'confirmed' : 'unsure'
  } catch (error) {
    if (unsureKinds.includes(showWalletProblem(app, error, 'payment'))) return 'unsure'
    sent.failed(reference)
    // A payment that was asked for earlier may still be open in the wallet.
    if (before === null) sent.forget(reference)
    else sent.asked(before)
    return 'unpaid'
  } finally {
    noLonger()
    await refreshWalletFigures()
  }
}

/** Sets what the contract may take; 0 revokes it. Shows each step as `payFor` does. */
export async function approve(app: App, approval: Approval): Promise<void> {
  try {
    await showProgress(approving, (on) => sendApproval(approval, on), { sent: () => {} })
  } catch (error) {
    showWalletProblem(app, error, 'approval')
  }
  await refreshWalletFigures()
}

/** Reads what the wallet has to allow before the payment; null when it need not. */
async function missingAllowance(
  { asset, amount, prepared: { tuple, to }, allow = 'exact' }: Payment,
  owner: Hex,
): Promise<Approval | null> {
  if (asset === 'JU') return null
  const [token, spender] = [tuple[1], to] as [Hex, Hex]
  if ((await readAllowance(token, owner, spender)) >= amount) return null
  return { owner, token, spender, amount: allow === 'max' ? MAX_ALLOWANCE : amount, needed: amount }
}

type Hex = `0x${string}`
type Steps = { ask: PlainKey; sent: PlainKey; late: PlainKey }

const approving: Steps = { ask: 'pay.approve', sent: 'pay.approveOnChain', late: 'pay.approveStillChecking' }
const paying = { ask: 'pay.confirming', sent: 'pay.onChain' } as const

/** `late`: the prompt was answered after the person had stopped waiting. `seen` resolves when the service has seen the payment on chain. */
type Progress = {
  asked?: (nonce: number | null) => void
  sent: (hash: Hex | null, late: boolean) => void
  seen?: Promise<void>
}

async function showProgress(
  steps: Steps,
  send: (on: SendEvents & Waiting) => Promise<SendOutcome>,
  { asked, sent, seen }: Progress,
): Promise<SendOutcome> {
  const stop = new AbortController()
  showToast('loading', translate(steps.ask), stopWaiting(stop))
  const sending = send({
    signal: stop.signal,
    ...(asked !== undefined && { asked }),
    // Both windows of the wallet are for one tap.
    takingBack: () => showToast('loading', translate('pay.takingBack'), stopWaiting(stop)),
    sent(hash) {
      const late = stop.signal.aborted
      // By then something else may be shown.
      if (!late) showToast('loading', translate(steps.sent), { stays: true })
      sent(hash, late)
    },
  })
  const outcome = await Promise.race([sending, ...(seen === undefined ? [] : [seen.then(() => 'confirmed' as const)])])
  if (outcome === 'confirmed') closeToast()
  else showToast('plain', translate(steps.late), { stays: true })
  return outcome
}
