import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
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
import { readAllowance, sendApproval, sendNative, sendRecharge } from '../wallet/wallet.ts'
import { createSentPayments } from './sent-payments.ts'
import { refreshWalletFigures } from './wallet-figures.ts'
import { showWalletProblem } from './wallet-problem.ts'
import { stopWaiting } from './wallet-ready.ts'

export const sentPayments = oncePerApp(({ storage }) => createSentPayments(storage))

/** What a payment is for, by which people know it. */
export type Purpose = 'order' | 'deposit' | 'repayment'

type Reference = { purpose: Purpose; reference: string }
type Payment = Reference & { transaction: RechargeTransaction; allow?: Allow }

/** `unsure`: it may still be paid, by a receipt that comes late or by a prompt that the person no longer waits for. */
export type PaymentOutcome = 'confirmed' | 'unsure' | 'unpaid'

/** How much the contract is allowed to take where it may not take enough yet. */
export type Allow = 'exact' | 'max'

/** The largest allowance; most tokens never reduce it. */
const MAX_ALLOWANCE = 2n ** 256n - 1n

/**
 * Takes one payment through its steps and shows each: allowance, confirmation in the wallet, sent, in a block. Remembers under the
 * reference that it was sent. A time-out is not a failure: the payment may yet be mined, and the lists will show it.
 */
export async function payFor(app: App, payment: Payment, onSent: () => void): Promise<PaymentOutcome> {
  try {
    const approval = await missingAllowance(payment)
    if (approval !== null) {
      const allowed = await showProgress(approving, (on) => sendApproval(approval, on), { sent: () => {} })
      // Without the allowance the payment would fail, so it is not sent until that is known.
      if (allowed === 'still-checking') return 'unsure'
    }
  } catch (error) {
    return showWalletProblem(app, error, 'approval') === 'given-up' ? 'unsure' : 'unpaid'
  } finally {
    await refreshWalletFigures()
  }
  return await sendFor(app, payment, (on) => sendRecharge(payment.transaction, on), onSent)
}

/** The same for a plain transfer of the chain's own currency. */
export const payByTransfer = (
  app: App,
  payment: Reference & { transfer: NativeTransfer },
  onSent: () => void,
): Promise<PaymentOutcome> => sendFor(app, payment, (on) => sendNative(payment.transfer, on), onSent)

async function sendFor(
  app: App,
  { reference, purpose }: Reference,
  send: (on: SendEvents & Waiting) => Promise<SendOutcome>,
  onSent: () => void,
): Promise<PaymentOutcome> {
  const sent = sentPayments(app)
  try {
    const outcome = await showProgress({ ...paying, late: `pay.stillChecking.${purpose}` }, send, {
      sent(hash, late) {
        sent.sent(reference, hash, serverNow())
        if (!late) onSent()
      },
      // A wallet may name another transaction than the one that pays, such as one that a service sends for it.
      seen: sent.whenSeen(reference),
    })
    return outcome === 'confirmed' ? 'confirmed' : 'unsure'
  } catch (error) {
    if (showWalletProblem(app, error, 'payment') === 'given-up') {
      sent.promptLeft(reference)
      return 'unsure'
    }
    sent.failed(reference)
    return 'unpaid'
  } finally {
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

/** What the wallet has to allow before the payment; null when it need not. */
async function missingAllowance({ transaction, allow = 'exact' }: Payment): Promise<Approval | null> {
  const {
    tuple: [amount, asset, customer],
    to,
  } = transaction
  if (asset === NATIVE_ASSET) return null
  const [owner, token, spender] = [customer, asset, to] as `0x${string}`[] as [Hex, Hex, Hex]
  if ((await readAllowance(token, owner, spender)) >= BigInt(amount)) return null
  return { owner, token, spender, amount: allow === 'max' ? MAX_ALLOWANCE : BigInt(amount) }
}

type Hex = `0x${string}`
type Steps = { ask: PlainKey; sent: PlainKey; late: PlainKey }

const approving: Steps = { ask: 'pay.approve', sent: 'pay.approveOnChain', late: 'pay.approveStillChecking' }
const paying = { ask: 'pay.confirming', sent: 'pay.onChain' } as const

/** `late`: the prompt was answered after the person had stopped waiting. `seen` resolves when the service has seen the payment on chain. */
type Progress = { sent: (hash: Hex, late: boolean) => void; seen?: Promise<void> }

async function showProgress(
  steps: Steps,
  send: (on: SendEvents & Waiting) => Promise<SendOutcome>,
  { sent, seen }: Progress,
): Promise<SendOutcome> {
  const stop = new AbortController()
  showToast('loading', translate(steps.ask), stopWaiting(stop))
  const sending = send({
    signal: stop.signal,
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
