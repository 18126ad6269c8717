import type { ActionKey } from '@candela/protocol/action-data'
import type { AssetCode } from '@candela/protocol/assets'
import { CHAIN_ID } from '@candela/protocol/network'
import type { Tx } from '../db/open.ts'
import { uuidFromName } from '../kernel/ids.ts'
import type { Posting } from '../ledger/post.ts'

/** A payment on chain that is deep enough to count. Amounts are base units, addresses and hashes lower case. */
export type ConfirmedPayment = {
  eventId: bigint
  txHash: string
  /** Index of the log in its block. It changes when a reorganisation moves the transaction. */
  logIndex: number
  /** Index among the gateway's payments of the same transaction: the part of the key that a reorganisation keeps. */
  txPosition: number
  blockNumber: bigint
  /** The block's own time. */
  blockAt: Date
  /** 'unknown' when the remark could not be read; `reference` then holds the whole remark. */
  action: ActionKey | 'unknown'
  reference: string
  asset: AssetCode
  amount: bigint
  /** Who called the contract and paid. */
  payer: string
  /** For whom the payer says it is. */
  customer: string
}

/** What becomes of one payment: where the money ends, and the ledger lines that put it there (at least one). */
export type Disposition = {
  eventId: bigint
  outcome: 'order' | 'balance' | 'suspense' | 'revenue'
  /** The ids must be `paymentPostingId(payment, 0)`, `paymentPostingId(payment, 1)`, … in this order. */
  postings: Posting[]
}

/**
 * Decides about payments in chain order and writes what belongs to the decision (orders, power), all in `tx`.
 * It does not post: that is done by the caller, in the same transaction. One disposition for each payment, any order.
 */
export type SettlePayments = (tx: Tx, payments: readonly ConfirmedPayment[], now: Date) => Promise<Disposition[]>

/**
 * The id of a payment's n-th posting: a function of what the chain says and nothing else, so that the ledger itself
 * refuses a second credit even if everything that we recorded of the chain were lost and read again.
 */
export const paymentPostingId = (payment: Pick<ConfirmedPayment, 'txHash' | 'txPosition'>, nth: number): string =>
  uuidFromName(`chain:${CHAIN_ID}:${payment.txHash}:${payment.txPosition}:${nth}`)
