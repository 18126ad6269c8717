import type { PostingKind } from '@candela/protocol/posting-kinds'
import { z } from 'zod'
import { must } from '../kernel/assert.ts'

/**
 * The memo of each kind of posting. This is the only description of memos: types check who posts, and who reads gets
 * them parsed. Amounts are in a memo only as decimal texts.
 */

/** The chain itself states these facts of a payment, so that reading the chain again gives the same posting. */
const receipt = z.object({
  action: z.string(),
  reference: z.string(),
  payer: z.string(),
  customer: z.string(),
  txHash: z.string(),
})

/** Dust of one recipient, asset and UTC day together, and of how many payments. */
const dustSum = z.object({ day: z.string(), payments: z.string() })

const withdrawal = z.object({ withdrawalNo: z.string(), to: z.string() })
const assigned = z.object({ txHash: z.string() })
/** A UTC day, "2026-11-21". */
const ofDay = z.object({ day: z.string() })

/** With `requestId` and `deadline` the terms that were signed can be put together again. */
const transfer = z.object({
  transferNo: z.string(),
  from: z.string(),
  fromUid: z.string(),
  to: z.string(),
  toUid: z.string(),
  requestId: z.string(),
  deadline: z.string(),
  signature: z.string(),
})

const ofLoan = z.object({ loanNo: z.string() })

const paidInBlock = z.object({ loanNo: z.string(), day: z.string(), txHash: z.string() })

/** Decimal texts in whole units: what was moved, and the fund before it, from which the shares follow. */
const fundMove = z.object({ amount: z.string(), assets: z.string(), shares: z.string(), pending: z.string() })

const schemas = {
  deposit: z.union([receipt, dustSum]),
  unmatched: receipt,
  revenue: receipt,
  suspense: z.union([receipt, dustSum]),
  assigned,
  'desk-stock': assigned,
  /** Two operators have given the note, and the member reads it. */
  'taken-back': z.object({ txHash: z.string(), note: z.string() }),
  purchase: z.object({ orderNo: z.string(), payer: z.string(), txHash: z.string() }),
  referral: z.object({ orderNo: z.string(), txHash: z.string() }),
  transfer,
  exchange: z.object({ exchangeNo: z.string(), quoteNo: z.string(), from: z.string(), to: z.string() }),
  income: ofDay,
  'service-fee': ofDay,
  'withdrawal-hold': withdrawal,
  'withdrawal-release': withdrawal,
  'withdrawal-reverted': withdrawal.extend({ txHash: z.string() }),
  withdrawal,
  reconciliation: z.object({ note: z.string(), block: z.string() }),
  'fund-in': fundMove,
  'fund-out': fundMove,
  loan: ofLoan,
  /** With a hash when it was paid on chain. */
  repayment: z.object({ loanNo: z.string(), txHash: z.string().optional() }),
  pledge: ofLoan,
  'pledge-return': ofLoan,
  'lever-open': ofLoan,
  'lever-close': ofLoan,
  /** The interest of one loan, or without a number of all loans of a part of the daily close. */
  interest: z.object({ day: z.string(), loanNo: z.string().optional() }),
  'late-charge': z.object({ day: z.string(), loanNo: z.string() }),
  /** A payment on chain that counts from its block: the day and the transaction of the block. */
  'interest-correction': paidInBlock,
  'interest-waiver': paidInBlock,
  liquidation: z.object({ loanNo: z.string(), liquidationNo: z.string() }),
  'fund-earnings': ofDay,
  deficit: ofLoan,
  'deficit-reserve': ofLoan,
  'deficit-fund': ofLoan,
  /** The operator's own money for the reserve. */
  'fund-capital': z.object({ note: z.string() }),
} satisfies Record<PostingKind, z.ZodType>

export type Memo<K extends PostingKind> = z.infer<(typeof schemas)[K]>
export type ReceiptMemo = z.infer<typeof receipt>

/** A recorded posting's kind with its memo; null where an older version of the service recorded another form. */
export type KindAndMemo = { [K in PostingKind]: { kind: K; memo: Memo<K> | null } }[PostingKind]

/** Reads what the ledger holds. @throws AssertionFailed for a kind that was never posted */
export function parseMemo(kind: string, memo: unknown): KindAndMemo {
  const known = must(Object.keys(schemas).find((name) => name === kind) as PostingKind | undefined, `no kind "${kind}"`)
  // The schema of a kind gives the memo of that kind; the compiler does not follow this through a look-up.
  return { kind: known, memo: schemas[known].safeParse(memo).data ?? null } as KindAndMemo
}
