import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { say } from '../i18n/use-translation.ts'
import type { PlainKey } from '../i18n/translate.ts'
import { closeToast, showToast } from '../ui/toast.tsx'
import { WalletError } from '../wallet/errors.ts'
import type { Approval, RechargeTransaction, SendEvents, SendOutcome, WalletModule } from '../wallet/types.ts'

export type PaymentOutcome = 'confirmed' | 'still-checking' | 'refused' | 'failed'

/** How much the contract is allowed to take where it may not take enough yet. */
export type Allow = 'exact' | 'max'

/** The most that a token can be told to let a contract take, which most tokens never count down from. */
export const MAX_ALLOWANCE = 2n ** 256n - 1n

export type PaymentWallet = Pick<WalletModule, 'sendRecharge' | 'sendApproval' | 'readAllowance'>

/**
 * Walks one payment through its stages and says each: allowed, asked, on its way, on chain. A time-out is not a failure:
 * the payment may yet be mined, and the lists will show it.
 */
export async function pay(
  wallet: PaymentWallet,
  { transaction, allow = 'exact' }: { transaction: RechargeTransaction; allow?: Allow },
  onSent: (hash: `0x${string}`) => void,
): Promise<PaymentOutcome> {
  try {
    const approval = await missingAllowance(wallet, transaction, allow)
    if (approval !== null) {
      const allowed = await sayStages(approving, (on) => wallet.sendApproval(approval, on))
      // Whether it may be taken decides whether the payment would go through: nothing is sent on a guess.
      if (allowed === 'still-checking') return allowed
    }
    return await sayStages(paying, (on) => wallet.sendRecharge(transaction, on), onSent)
  } catch (error) {
    return sayFailure(error, 'pay.failed')
  }
}

/** Sets what the contract may take; 0 takes it back. Says each stage as `pay` does. */
export async function approve(wallet: PaymentWallet, approval: Approval): Promise<PaymentOutcome> {
  try {
    return await sayStages(approving, (on) => wallet.sendApproval(approval, on))
  } catch (error) {
    return sayFailure(error, 'pay.approvalFailed')
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
type Stages = { ask: PlainKey; sent: PlainKey; late: PlainKey }

const approving: Stages = { ask: 'pay.approve', sent: 'pay.approveOnChain', late: 'pay.approveStillChecking' }
const paying: Stages = { ask: 'pay.confirming', sent: 'pay.onChain', late: 'pay.stillChecking' }

async function sayStages(
  stages: Stages,
  send: (on: SendEvents) => Promise<SendOutcome>,
  onSent?: (hash: Hex) => void,
): Promise<SendOutcome> {
  showToast('loading', say(stages.ask))
  const outcome = await send({
    sent(hash) {
      showToast('loading', say(stages.sent))
      onSent?.(hash)
    },
  })
  if (outcome === 'confirmed') closeToast()
  else showToast('plain', say(stages.late))
  return outcome
}

function sayFailure(error: unknown, otherwise: PlainKey): 'refused' | 'failed' {
  const kind = error instanceof WalletError ? error.kind : 'failed'
  showToast('error', say(kind === 'cancelled' ? 'pay.cancelled' : otherwise))
  return kind === 'refused' || kind === 'cancelled' ? 'refused' : 'failed'
}
