import { translate } from '../../i18n/use-translation.ts'
import { showToast } from '../../ui/overlay/toast.tsx'
import { readSentCounts } from '../../wallet/wallet.ts'
import { doubtOf } from './doubt.ts'
import type { AskedPayment } from './sent-payments.ts'

/** For a payment that was offered before, here or elsewhere. */
export type Again = {
  /** Asks the service whether it is still to be paid; null where it cannot be asked. */
  isOpen: () => Promise<boolean | null>
  /** The person wants to pay all the same. */
  payAnyway: () => void
}

/**
 * Whether a payment may be paid already, by what the service and the chain know: then the person was told, and can pay all the same.
 * A transaction of another app may be it, so this asks and never forbids.
 */
export async function isPerhapsPaid(
  { isOpen, payAnyway }: Again,
  account: `0x${string}`,
  asked: AskedPayment | null,
): Promise<boolean> {
  const [open, counts] = await Promise.all([
    isOpen().catch(() => null),
    readSentCounts(account).catch(() => ({ latest: null, pending: null })),
  ])
  if (open === false) {
    showToast('plain', translate('pay.alreadyPaid'), { stays: true })
    return true
  }
  const doubt = doubtOf(counts, asked)
  if (doubt === null) return false
  showToast('plain', translate(doubt), { stays: true, action: { label: translate('pay.payAnyway'), run: payAnyway } })
  return true
}
