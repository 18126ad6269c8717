import type { AssetCode } from '@candela/protocol/money/assets'
import type { ModelBlock, ModelReceipt } from '../model/chain-model.ts'
import type { Simulation } from '../run/simulation.ts'

/** The contract's errors that are not the recipient's doing. */
const ours: ReadonlySet<string | undefined> = new Set(['EnforcedPause', 'NotPayer', 'DailyCapExceeded', 'AlreadyPaid'])

/**
 * The fee of a withdrawal that has failed is kept exactly when its own payment is on the chain and the recipient made it
 * revert. Where something of ours could have been the cause, or the block was not followed by itself because the service
 * was far behind, the member is not charged.
 */
export async function keptFeesAreRight({ db, chain, contracts }: Simulation): Promise<string[]> {
  const rows = await db
    .selectFrom('withdrawal')
    .select(['withdrawal_no', 'nonce', 'reason', 'asset', 'payout_amount'])
    .where('state', '=', 'failed')
    .where('nonce', 'is not', null)
    .execute()
  const blocks = chain.above(null, chain.head)
  const followed = new Set((await db.selectFrom('chain_block').select('hash').execute()).map(({ hash }) => hash))
  const findings: string[] = []
  for (const row of rows) {
    const block = blocks.find(({ receipts }) => receipts.some((one) => isOf(one, contracts.payer, row.nonce)))
    const receipt = block?.receipts.find((one) => isOf(one, contracts.payer, row.nonce))
    if (block === undefined || receipt === undefined || receipt.ok) {
      findings.push(`${row.withdrawal_no} has failed, and nothing at its nonce has reverted`)
      continue
    }
    const around = [block, ...(block.parent === null ? [] : [block.parent])]
    const amount = { asset: row.asset, amount: row.payout_amount, gateway: contracts.gateway }
    const isRecipients = !ours.has(receipt.refusal) && around.every((one) => holds(one, amount))
    const isKept = row.reason === 'reverted'
    if (isKept && !isRecipients && !hasPause(block))
      findings.push(`${row.withdrawal_no} was charged: ${receipt.refusal}`)
    const canTell = followed.has(block.hash) && !around.some((one) => isStopped(one, amount))
    if (!isKept && isRecipients && canTell)
      findings.push(`${row.withdrawal_no} was not charged although its recipient refused`)
  }
  return findings
}

type Amount = { asset: AssetCode; amount: bigint; gateway: string }

const holds = ({ state }: ModelBlock, { asset, amount, gateway }: Amount): boolean =>
  state.balance(asset, gateway) >= amount

/** True where the contract would pay nobody that much after this block. */
const isStopped = ({ state, timestamp }: ModelBlock, { asset, amount }: Amount): boolean =>
  state.isPaused() || state.leftToday(asset, timestamp) < amount

const isOf = ({ transaction }: ModelReceipt, payer: string, nonce: bigint | null): boolean =>
  transaction.from === payer && BigInt(transaction.nonce) === nonce

const hasPause = ({ receipts }: ModelBlock): boolean =>
  receipts.some(({ transaction }) => transaction.call.do === 'pause')
