import { fromBaseUnits } from '@candela/protocol/money/money'
import { serverNow } from '../../api/server-time.ts'
import { call } from '../../api/call.ts'
import { onlyOne, untilNone } from '../../payment/once/only-one.ts'
import { type Allow, payFor, sentPayments } from '../../payment/payment.ts'
import { walletReady } from '../../payment/wallet-ready.ts'
import type { App } from '../../session/app-context.tsx'

type Repayment = { loanNo: string; amount: bigint; allow: Allow }

/** A block is no older than the clock of the device says, but for this in milliseconds. */
export const CLOCK_SLACK_MS = 60_000

/**
 * Has the wallet pay a loan straight to the contract: `recharge("repay", …)` with the loan's number. What is too much becomes
 * balance. Resolves to true when it is in a block.
 */
export async function payFromWallet(
  app: App,
  repayment: Repayment,
  onSent: () => void,
  anyway = false,
): Promise<boolean> {
  const { loanNo, amount, allow } = repayment
  const again = {
    isOpen: () => isUnseen(app, loanNo),
    payAnyway: () => void payFromWallet(app, repayment, onSent, true),
  }
  if (anyway) await untilNone(app, loanNo)
  return await onlyOne(app, loanNo, false, async () => {
    if (!(await walletReady(app))) return false
    const wanted = { loanNo, amount: fromBaseUnits(amount) }
    // The message was shown, and nothing was sent.
    const made = await call('GET lending/transaction', wanted).catch(() => null)
    if (made === null) return false
    const isFirst = anyway || sentPayments(app).askedFor(loanNo, serverNow()) === null
    const outcome = await payFor(
      app,
      {
        purpose: 'repayment',
        reference: loanNo,
        asset: 'USDT',
        amount,
        prepared: made.transaction,
        allow,
        ...(!isFirst && { again }),
      },
      onSent,
    )
    return outcome === 'confirmed'
  })
}

/** Whether the loan does not show the repayment yet that the wallet was asked for last. @throws where the service cannot be asked */
async function isUnseen(app: App, loanNo: string): Promise<boolean | null> {
  const asked = sentPayments(app).askedFor(loanNo, serverNow())
  if (asked === null) return null
  const { items } = await call('GET lending/entries', { loanNo, limit: '20' }, { transportInPlace: true })
  const isSeen = items.some(({ txHash, at }) => txHash !== null && Date.parse(at) > asked.at - CLOCK_SLACK_MS)
  // The next tap is for another repayment.
  if (isSeen) sentPayments(app).seen([loanNo])
  return !isSeen
}
