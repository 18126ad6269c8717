import type { Followed } from '../../../chain/payer/followed.ts'
import { RpcError } from '../../../chain/ask.ts'
import type { At, PayoutSimulation, PayoutTerms } from '../../../chain/payout/payout-chain.ts'
import { PAYOUT_GAS, type PayoutDeps } from './payout-deps.ts'
import { isCausedByRecipient } from './refusals.ts'

/** The cause that a payout whose nonce is used was not paid. */
export type Unpaid =
  /** The recipient: our own transaction was mined and moved nothing. */
  | { reason: 'reverted'; txHash: string }
  /** We, or somebody else with the payer's key. */
  | { reason: 'unpaid'; txHash: string | null }
  /** Our own transaction was mined and moved nothing, and nobody can tell any more why. */
  | { reason: 'unclear'; txHash: string }

export type SignedPayment = {
  payer: string
  terms: PayoutTerms
  transactions: readonly { hash: string; gasPrice: bigint }[]
}

type WhyDeps = Pick<PayoutDeps, 'db'> & { chain: Pick<PayoutDeps['chain'], 'receipt' | 'simulatePayout'> }

/**
 * Finds out whether one of our own transactions was mined and moved nothing, and whether that was because of its recipient.
 * `wait`: that cannot be told now and may be later, or the node says that it did move the money. `none`: the node shows none
 * of ours, which proves nothing by itself.
 * @throws RpcError
 */
export async function whyUnpaid(
  deps: WhyDeps,
  payment: SignedPayment,
  { tip, final, statesKept }: Pick<Followed, 'tip' | 'statesKept'> & { final: At },
): Promise<Unpaid | 'wait' | 'none'> {
  for (const { hash: txHash, gasPrice } of payment.transactions) {
    const receipt = await deps.chain.receipt(txHash)
    if (receipt === null) continue
    const { at } = receipt
    if (receipt.succeeded || at.number > final.number) return 'wait'
    const isRecent = tip.number - at.number < statesKept
    const parent = await parentOf(deps, at)
    // A node on another branch: the next round asks again.
    if (parent === null && isRecent) return 'wait'
    const isOurs =
      parent === null ? 'unclear' : await hadOurCause(deps, payment, gasPrice, { blocks: [parent, at], isRecent })
    if (isOurs === 'unclear') return { reason: isOurs, txHash }
    return { reason: isOurs ? 'unpaid' : 'reverted', txHash }
  }
  return 'none'
}

/** The block before a followed one; null when it was not followed, or its row is pruned. */
async function parentOf({ db }: WhyDeps, { number, hash }: At): Promise<At | null> {
  const row = await db
    .selectFrom('chain_block')
    .select('parent_hash')
    .where('number', '=', number)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row === undefined ? null : { number: number - 1n, hash: row.parent_hash }
}

/**
 * The payment is tried again with the same gas as of the blocks before and after it. Where either shows a cause of ours
 * (paused, another payer, the day's cap, too little held), the member is not charged for it. `unclear`: the state of a
 * block is gone.
 */
async function hadOurCause(
  { chain }: WhyDeps,
  { payer, terms }: SignedPayment,
  gasPrice: bigint,
  { blocks, isRecent }: { blocks: readonly At[]; isRecent: boolean },
): Promise<boolean | 'unclear'> {
  try {
    const offer = { gas: PAYOUT_GAS, gasPrice }
    const tries = await Promise.all(blocks.map((at) => chain.simulatePayout(at, payer, terms, offer)))
    return tries.some((one) => isOurCause(one, terms.amount))
  } catch (error) {
    if (!isRecent && error instanceof RpcError && error.failure === 'refused') return 'unclear'
    throw error
  }
}

const isOurCause = ({ refusal, held, leftOfCap }: PayoutSimulation, amount: bigint): boolean =>
  (refusal !== null && !isCausedByRecipient(refusal)) || held < amount || leftOfCap < amount
