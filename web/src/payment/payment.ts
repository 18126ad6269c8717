import { requiredNetwork } from '../api/public-data.ts'
import { translate } from '../i18n/use-translation.ts'
import { type App, oncePerApp } from '../session/app-context.tsx'
import { closeToast, showToast } from '../ui/overlay/toast.tsx'
import { connectWallet, readAllowance, sendApproval, sendRecharge } from '../wallet/wallet.ts'
import { createSentPayments } from './sent-payments.ts'
import { refreshWalletFigures } from './wallet-figures.ts'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { PlainKey } from '../i18n/translate.ts'
import { WalletError } from '../wallet/errors.ts'
import type { Approval, RechargeTransaction, SendEvents, SendOutcome, WalletModule } from '../wallet/types.ts'

/**
 * Whether the wallet is on the account that is signed in and on the right chain, because a payment may come from no
 * other. When it is false, the reason has been shown.
 */
export async function walletReady(app: Pick<App, 'session' | 'showNetworkDialog'>): Promise<boolean> {
  try {
    const { address, chainId } = await connectWallet()
    const network = await requiredNetwork()
    if (chainId !== Number(network.chainId)) {
      app.showNetworkDialog(network)
      return false
    }
    if (address?.toLowerCase() === app.session.get().address.toLowerCase()) return true
    showToast('error', translate('pay.otherAccount'))
    return false
  } catch {
    showToast('error', translate('wallet.failed'))
    return false
  }
}

export const sentPayments = oncePerApp(({ storage }) => createSentPayments(storage))

/** Has the wallet pay, and remembers under `reference` that the payment was sent. */
export async function payFor(
  app: App,
  reference: string,
  payment: Parameters<typeof pay>[1],
  onSent: () => void,
): Promise<PaymentOutcome> {
  const outcome = await pay({ readAllowance, sendApproval, sendRecharge }, payment, (hash) => {
    sentPayments(app).sent(reference, hash, Date.now())
    onSent()
  })
  if (outcome === 'refused' || outcome === 'failed') sentPayments(app).failed(reference)
  await refreshWalletFigures()
  return outcome
}

export type PaymentOutcome = 'confirmed' | 'still-checking' | 'refused' | 'failed'

/** How much the contract is allowed to take where it may not take enough yet. */
export type Allow = 'exact' | 'max'

/** The largest allowance; most tokens never reduce it. */
export const MAX_ALLOWANCE = 2n ** 256n - 1n

export type PaymentWallet = Pick<WalletModule, 'sendRecharge' | 'sendApproval' | 'readAllowance'>

/**
 * Takes one payment through its steps and shows each: allowance, confirmation in the wallet, sent, in a block. A time-out is
 * not a failure: the payment may yet be mined, and the lists will show it.
 */
export async function pay(
  wallet: PaymentWallet,
  { transaction, allow = 'exact' }: { transaction: RechargeTransaction; allow?: Allow },
  onSent: (hash: `0x${string}`) => void,
): Promise<PaymentOutcome> {
  try {
    const approval = await missingAllowance(wallet, transaction, allow)
    if (approval !== null) {
      const allowed = await showProgress(approving, (on) => wallet.sendApproval(approval, on))
      // Without the allowance the payment would fail, so it is not sent until that is known.
      if (allowed === 'still-checking') return allowed
    }
    return await showProgress(paying, (on) => wallet.sendRecharge(transaction, on), onSent)
  } catch (error) {
    return showFailure(error, 'pay.failed')
  }
}

/** Sets what the contract may take; 0 revokes it. Shows each step as `pay` does. */
export async function approve(wallet: PaymentWallet, approval: Approval): Promise<PaymentOutcome> {
  try {
    return await showProgress(approving, (on) => wallet.sendApproval(approval, on))
  } catch (error) {
    return showFailure(error, 'pay.approvalFailed')
  }
}

/** What the wallet has to allow before the payment; null when it need not. */
async function missingAllowance(
  wallet: PaymentWallet,
  { tuple: [amount, asset, customer], to }: RechargeTransaction,
  allow: Allow,
): Promise<Approval | null> {
  if (asset === NATIVE_ASSET) return null
  const [owner, token, spender] = [customer, asset, to] as `0x${string}`[] as [Hex, Hex, Hex]
  if ((await wallet.readAllowance(token, owner, spender)) >= BigInt(amount)) return null
  return { owner, token, spender, amount: allow === 'max' ? MAX_ALLOWANCE : BigInt(amount) }
}

type Hex = `0x${string}`
type Steps = { ask: PlainKey; sent: PlainKey; late: PlainKey }

const approving: Steps = { ask: 'pay.approve', sent: 'pay.approveOnChain', late: 'pay.approveStillChecking' }
const paying: Steps = { ask: 'pay.confirming', sent: 'pay.onChain', late: 'pay.stillChecking' }

async function showProgress(
  steps: Steps,
  send: (on: SendEvents) => Promise<SendOutcome>,
  onSent?: (hash: Hex) => void,
): Promise<SendOutcome> {
  showToast('loading', translate(steps.ask))
  const outcome = await send({
    sent(hash) {
      showToast('loading', translate(steps.sent))
      onSent?.(hash)
    },
  })
  if (outcome === 'confirmed') closeToast()
  else showToast('plain', translate(steps.late))
  return outcome
}

function showFailure(error: unknown, otherwise: PlainKey): 'refused' | 'failed' {
  const kind = error instanceof WalletError ? error.kind : 'failed'
  showToast('error', translate(kind === 'cancelled' ? 'pay.cancelled' : otherwise))
  return kind === 'refused' || kind === 'cancelled' ? 'refused' : 'failed'
}
