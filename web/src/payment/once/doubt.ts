import type { PlainKey } from '../../i18n/translate.ts'
import type { SentCounts } from '../../wallet/types.ts'
import type { AskedPayment } from './sent-payments.ts'

/** The sign that it is paid already; null for none. */
export function doubtOf({ latest, pending }: SentCounts, asked: AskedPayment | null): PlainKey | null {
  const now = pending ?? latest
  if (asked !== null && asked.nonce !== null && now !== null && now > asked.nonce) return 'pay.doubt.sentSince'
  if (latest !== null && pending !== null && pending > latest) return 'pay.doubt.waiting'
  return asked === null ? null : 'pay.doubt.open'
}
