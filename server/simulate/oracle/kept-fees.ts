import type { AssetCode } from '@candela/protocol/money/assets'
import type { ModelBlock, ModelReceipt } from '../model/chain-model.ts'
import { type Simulation, violation } from '../run/simulation.ts'

/** The contract's errors that are not the recipient's doing. */
const ours: ReadonlySet<string | undefined> = new Set(['EnforcedPause', 'NotPayer', 'DailyCapExceeded', 'AlreadyPaid'])

/** Nodes keep the state of so many blocks: what caused a revert in an older one is not asked any more. */
const STATE_KEPT_BLOCKS = 100

/**
 * The own payment of every withdrawal that has failed is on the chain and has reverted. The fee is kept only where the recipient made
 * it revert; a member is not charged for a cause of ours. `checkEnded` looks for fees that were not kept.
 */
export async function keptFeesAreRight(simulation: Simulation): Promise<string[]> {
  const findings: string[] = []
  for (const row of await readFailed(simulation)) {
    const cause = causeOf(simulation, row)
    if (cause === null) findings.push(`${row.withdrawal_no} has failed, and nothing at its nonce has reverted`)
    else if (row.reason === 'reverted' && !cause.mayBeRecipient)
      findings.push(`${row.withdrawal_no} was charged: ${cause.refusal}`)
  }
  return findings
}

/** The withdrawals that have failed, and the hashes of the blocks that the service knows. */
export type Ended = { failed: ReadonlySet<bigint>; known: ReadonlySet<string> }

export async function readEnded(simulation: Simulation): Promise<Ended> {
  const failed = await readFailed(simulation)
  const blocks = await simulation.db.selectFrom('chain_block').select('hash').execute()
  return { failed: new Set(failed.map(({ id }) => id)), known: new Set(blocks.map(({ hash }) => hash)) }
}

/**
 * The fee of what has failed since `before` is kept where the recipient made the payment revert. The service can tell only
 * while it knows the block, which it does not when it was far behind and read a range of blocks at once.
 */
export async function checkEnded(simulation: Simulation, before: Ended): Promise<void> {
  const after = await readEnded(simulation)
  const { highestShown } = simulation.chain
  for (const row of await readFailed(simulation)) {
    if (before.failed.has(row.id) || row.reason === 'reverted') continue
    const cause = causeOf(simulation, row)
    if (cause === null || !cause.isRecipient) continue
    const { hash, number } = cause.block
    const isKnown = before.known.has(hash) && after.known.has(hash)
    if (isKnown && highestShown - number < STATE_KEPT_BLOCKS)
      throw violation(simulation, `${row.withdrawal_no} was not charged although its recipient refused`)
  }
}

type Failed = Awaited<ReturnType<typeof readFailed>>[number]

const readFailed = ({ db }: Simulation) =>
  db
    .selectFrom('withdrawal')
    .select(['id', 'withdrawal_no', 'nonce', 'reason', 'asset', 'payout_amount'])
    .where('state', '=', 'failed')
    .where('nonce', 'is not', null)
    .execute()

/**
 * Why the payment of a withdrawal has reverted; null when none has. `mayBeRecipient`: something of ours that began or ended
 * in the same block may be the cause as well.
 */
function causeOf({ chain, contracts }: Simulation, { nonce, asset, payout_amount }: Failed) {
  const blocks = chain.above(null, chain.head)
  const block = blocks.find(({ receipts }) => receipts.some((one) => isOf(one, contracts.payer, nonce)))
  const receipt = block?.receipts.find((one) => isOf(one, contracts.payer, nonce))
  if (block === undefined || receipt === undefined || receipt.ok) return null
  const around = [block, ...(block.parent === null ? [] : [block.parent])]
  const amount = { asset, amount: payout_amount, gateway: contracts.gateway }
  const isNotOurs = !ours.has(receipt.refusal) && around.every((one) => holds(one, amount))
  return {
    block,
    refusal: receipt.refusal,
    isRecipient: isNotOurs && !around.some((one) => isStopped(one, amount)),
    mayBeRecipient: isNotOurs || hasPause(block),
  }
}

type Amount = { asset: AssetCode; amount: bigint; gateway: string }

const holds = ({ state }: ModelBlock, { asset, amount, gateway }: Amount): boolean =>
  state.balance(asset, gateway) >= amount

/** True where the contract would pay nobody that much after this block. */
const isStopped = ({ state, timestamp }: ModelBlock, { asset, amount }: Amount): boolean =>
  state.isPaused() || state.leftOfCap(asset, timestamp) < amount

const isOf = ({ transaction }: ModelReceipt, payer: string, nonce: bigint | null): boolean =>
  transaction.from === payer && BigInt(transaction.nonce) === nonce

const hasPause = ({ receipts }: ModelBlock): boolean =>
  receipts.some(({ transaction }) => transaction.call.do === 'pause')
