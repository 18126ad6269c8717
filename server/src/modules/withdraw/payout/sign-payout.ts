import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { AssetCode } from '@candela/protocol/money/assets'
import { MINUTE_MS } from '@candela/protocol/units'
import { TRANSFER_GAS } from '../../../chain/payer/offer.ts'
import type { Followed } from '../../../chain/payer/followed.ts'
import { agreeAlone } from '../../../chain/nodes/agree.ts'
import { BLOCKED, NOT_AFFORDABLE, type PayoutChain, type PayoutSimulation } from '../../../chain/payout/payout-chain.ts'
import type { ChainNonces } from '../../../chain/payout/read-nonces.ts'
import { transaction, type Tx } from '../../../db/open.ts'
import { assert } from '../../../kernel/assert.ts'
import { readPauseReason } from '../../reconcile/pause.ts'
import { changeState, releaseHold, lockWithdrawal, type WithdrawalRow } from '../change-state.ts'
import { causeOfReview, readEvidence } from '../evidence.ts'
import { leftOfFresh, OLD_AFTER_MS, readFreshUse, useFresh } from '../wait/old-money.ts'
import { type InFlight, MAX_IN_FLIGHT, readInFlight } from './in-flight.ts'
import { hasTurn } from './next-due.ts'
import { lockPayer, type NoNonce, useNonce } from './payer-nonce.ts'
import { isCausedByRecipient } from './refusals.ts'
import { PAYOUT_GAS, type PayoutDeps } from './payout-deps.ts'

const TRY_AGAIN_MS = MINUTE_MS
/** In place of a refusal that the node gave and then did not give. */
const TWO_ANSWERS = 'one thing and then another'

/** The decision about a queued withdrawal before anything is signed. */
export type Decision =
  | { kind: 'pay'; nonce: bigint }
  /** Not now, and for the same reason nothing at all, nothing of its asset, or this one alone. `failure` is for the operator. */
  | { kind: 'wait'; what: 'all' | 'asset' | 'one'; failure: string }
  /** Not before an operator has looked at what became known since it was asked for. */
  | { kind: 'review'; reason: 'flagged' | 'reverts' }
  /** Never: this recipient cannot be paid. */
  | { kind: 'fail'; reason: 'recipient'; failure: string }

/** The facts that a round has found out before it looks at single withdrawals. */
export type RoundFacts = ChainNonces & {
  gasPrice: bigint
  /** How much of the cap of each asset fresh money may use. */
  shares: Record<AssetCode, bigint>
}

/**
 * Simulates the payment of a queued withdrawal with the gas that the transaction will offer. Then it signs it and stores the signed
 * transaction together with its nonce, both or neither; or it lets the withdrawal wait, asks for a review, or releases the
 * money. Nothing is sent here. Returns what was decided; null when another worker was faster.
 *
 * The payer's row is locked while a nonce is given and the transaction stored, so several workers take turns, nonces
 * have no gaps, and none signs what another has signed.
 * @param trial what the payment does at the last followed block
 * @throws RpcError; then nothing has changed
 */
export async function signPayout(
  deps: PayoutDeps,
  followed: Followed,
  row: WithdrawalRow,
  { trial, ...round }: RoundFacts & { trial: PayoutSimulation },
): Promise<Decision | null> {
  const { db, clock } = deps
  const { refusal } = trial
  const isSure =
    refusal === null ||
    !isCausedByRecipient(refusal) ||
    (await isRefusedAgain(deps, followed, row, round.gasPrice, refusal))
  const simulation = isSure ? trial : { ...trial, refusal: TWO_ANSWERS }
  const now = clock.now()
  const facts = { simulation, ...round, block: followed.tip.number }
  const decision = await transaction(db, (tx) => decideAndSign(tx, deps, row.id, facts, now))
  if (decision !== null) report(deps, row, decision)
  return decision
}

export const simulate = (
  { chain, signer }: { chain: Pick<PayoutChain, 'simulatePayout'>; signer: PayoutDeps['signer'] },
  { tip }: Followed,
  row: WithdrawalRow,
  gasPrice: bigint,
) => chain.simulatePayout(tip, signer.address, termsOf(row), { gas: PAYOUT_GAS, gasPrice })

/**
 * Whether most nodes give the refusal that would end a withdrawal. One node alone is asked again, in a request of its own: a node that has
 * mixed up answers once gives another one.
 */
async function isRefusedAgain(
  { chain, agree = agreeAlone(chain), signer }: PayoutDeps,
  followed: Followed,
  row: WithdrawalRow,
  gasPrice: bigint,
  refusal: string,
): Promise<boolean> {
  const decision = { name: `withdrawal ${row.withdrawal_no}`, at: followed.tip }
  const answer = await agree(decision, async (node) => {
    return (await simulate({ chain: node, signer }, followed, row, gasPrice)).refusal
  })
  return answer?.agreed === refusal
}

type Facts = RoundFacts & { simulation: PayoutSimulation; block: bigint }

/** A quarter above what the node names, so that it is still enough a few blocks later. */
export const withMargin = (price: bigint): bigint => (price * 5n) / 4n + 1n

export const termsOf = (row: WithdrawalRow) => ({
  payoutId: row.payout_id,
  asset: row.asset,
  to: row.to_address,
  amount: row.payout_amount,
})

/** Null when another worker was faster, with this one or with as many others as may be under way. */
async function decideAndSign(tx: Tx, deps: PayoutDeps, id: bigint, facts: Facts, now: Date): Promise<Decision | null> {
  const next = await lockPayer(tx, deps.signer.address, facts)
  const row = await lockWithdrawal(tx, id)
  if (row?.state !== 'queued' || !(await hasTurn(tx, row.member_id))) return null
  const inFlight = await readInFlight(tx, deps.signer.address, facts)
  if (inFlight.count >= MAX_IN_FLIGHT) return null
  const decision = await decide(tx, deps, row, { ...facts, now, next, inFlight })
  switch (decision.kind) {
    case 'pay':
      await sign(tx, deps, row, { nonce: decision.nonce, gasPrice: facts.gasPrice }, now)
      await useFresh(tx, { asset: row.asset, amount: freshOf(row, now), share: facts.shares[row.asset] }, now)
      break
    case 'wait':
      if (decision.what === 'one') await tryLater(tx, row, decision.failure, now)
      break
    case 'review': {
      const { approvals, review_round } = row
      const change = { reason: decision.reason, approvals: Math.max(1, approvals), review_round: review_round + 1 }
      await changeState(tx, row, 'review', change, now)
      break
    }
    case 'fail':
      await releaseHold(tx, row, 'failed', { reason: decision.reason }, now)
  }
  return decision
}

async function tryLater(tx: Tx, row: WithdrawalRow, failure: string, now: Date): Promise<void> {
  await tx
    .updateTable('withdrawal')
    .set({ reason: 'paused', last_failure: failure, try_at: new Date(now.getTime() + TRY_AGAIN_MS), changed_at: now })
    .where('id', '=', row.id)
    .execute()
}

const wait = (what: 'all' | 'asset' | 'one', failure: string): Decision => ({ kind: 'wait', what, failure })

type Decided = Facts & { next: bigint | NoNonce; now: Date; inFlight: InFlight }

async function decide(tx: Tx, deps: PayoutDeps, row: WithdrawalRow, facts: Decided): Promise<Decision> {
  const { simulation, gasPrice, inFlight } = facts
  const evidence = await readEvidence(tx, { memberId: row.member_id, address: row.to_address }, facts.now)
  const cause = causeOfReview(evidence, { orphaned: row.seen_orphaned, reverted: row.seen_reverted })
  if (cause !== null) return { kind: 'review', reason: cause }
  if (typeof facts.next !== 'bigint') return wait('all', facts.next.refused)
  const pauseReason = await readPauseReason(tx, facts.now)
  if (pauseReason !== null) return wait('all', pauseReason)
  const refused = await readRefused(tx, deps.signer.address)
  if (refused !== null)
    return wait('all', `the chain refuses ${refused}, and nothing after it can be mined: see "withdrawal give-up"`)
  if (simulation.gasBalance < inFlight.gasCost + PAYOUT_GAS * gasPrice) {
    return wait('all', `the payer has ${simulation.gasBalance} base units left for gas: fund ${deps.signer.address}`)
  }
  const underWay = inFlight.amounts[row.asset]
  if (simulation.held < underWay + row.payout_amount)
    return wait('asset', `the contract holds ${simulation.held} of ${row.asset}`)
  if (simulation.leftOfCap < underWay + row.payout_amount)
    return wait('asset', `the contract's cap leaves ${simulation.leftOfCap}`)
  const ofFresh = leftOfFresh(facts.shares[row.asset], await readFreshUse(tx, row.asset), facts.now)
  if (ofFresh < freshOf(row, facts.now)) return wait('asset', `the share of fresh money leaves ${ofFresh}`)
  return decideByRefusal(simulation.refusal) ?? { kind: 'pay', nonce: facts.next }
}

/** Money that was fresh when it was asked for is old once it has waited for as long. */
const freshOf = (row: WithdrawalRow, now: Date): bigint =>
  row.created_at.getTime() + OLD_AFTER_MS <= now.getTime() ? 0n : row.fresh_amount

/** The contract refuses these to anybody; `CheckpointUnorderedInsertion` comes from a node that is between two blocks. */
const refusedToAll: ReadonlySet<string> = new Set([
  'EnforcedPause',
  'NotPayer',
  'InExit',
  'CheckpointUnorderedInsertion',
])

/**
 * Decides by the refusal that the simulation showed; null when the payment would succeed. Only what its recipient causes ends a
 * withdrawal.
 */
export function decideByRefusal(refusal: string | null): Decision | null {
  if (refusal === null) return null
  if (isCausedByRecipient(refusal))
    return { kind: 'fail', reason: 'recipient', failure: refusal === '' ? 'the payment reverts' : refusal }
  if (refusal === 'DailyCapExceeded') return wait('asset', refusal)
  if (refusal === BLOCKED)
    return wait('one', 'the chain has its address, or the payer, on a block list: reject it, or wait')
  if (refusal === NOT_AFFORDABLE) return wait('all', 'the payer cannot offer what gas costs now')
  return wait(refusedToAll.has(refusal) ? 'all' : 'one', `the contract says ${refusal}`)
}

/** Number of a signed payout that the chain does not take; null when there is none. */
async function readRefused(tx: Tx, payer: string): Promise<string | null> {
  const row = await tx
    .selectFrom('withdrawal')
    .select('withdrawal_no')
    .where('state', '=', 'sending')
    .where('payer', '=', payer)
    .where('reason', '=', 'paused')
    .orderBy('nonce')
    .limit(1)
    .executeTakeFirst()
  return row?.withdrawal_no ?? null
}

async function sign(
  tx: Tx,
  deps: PayoutDeps,
  row: WithdrawalRow,
  { nonce, gasPrice }: { nonce: bigint; gasPrice: bigint },
  now: Date,
): Promise<void> {
  const { address } = deps.signer
  assert(row.nonce === null, `withdrawal ${row.withdrawal_no} was signed already`)
  const call = { nonce, gasPrice, gas: PAYOUT_GAS, ...deps.chain.call(termsOf(row)) }
  const { hash, raw } = await deps.signer.sign(call)
  await changeState(tx, row, 'sending', { payer: address, nonce, txHash: hash }, now)
  await storeTransaction(tx, { hash, raw, withdrawalId: row.id, payer: address, nonce, gasPrice }, now)
  await useNonce(tx, address, nonce)
}

export type SignedPayout = {
  hash: string
  raw: string
  withdrawalId: bigint
  payer: string
  nonce: bigint
  gasPrice: bigint
  /** One that pays nothing, and only uses the nonce. */
  isEmpty?: boolean
}

export async function storeTransaction(tx: Tx, signed: SignedPayout, now: Date): Promise<void> {
  await tx
    .insertInto('payout_transaction')
    .values({
      hash: signed.hash,
      withdrawal_id: signed.withdrawalId,
      payer: signed.payer,
      nonce: signed.nonce,
      raw: signed.raw,
      gas_price: signed.gasPrice,
      gas: signed.isEmpty === true ? TRANSFER_GAS : PAYOUT_GAS,
      is_empty: signed.isEmpty === true,
      signed_at: now,
      broadcast_at: null,
      tried_at: null,
      last_failure: null,
    })
    .execute()
}

/** Logged only when the cause of waiting is another one. */
function report({ log }: PayoutDeps, row: WithdrawalRow, decision: Decision): void {
  const facts = { chain: CHAIN_ID, withdrawal: row.withdrawal_no, asset: row.asset }
  if (decision.kind === 'pay') log.info({ event: 'payout.signed', ...facts }, 'a payout was signed')
  else if (decision.kind === 'review') {
    log.warn({ event: 'withdrawal.in-review', ...facts, reason: decision.reason }, 'a queued withdrawal needs a review')
  } else if (decision.kind === 'fail') {
    log.warn({ event: 'withdrawal.failed', ...facts, reason: decision.failure }, 'a withdrawal cannot be paid')
  } else if (decision.what === 'one' && row.last_failure !== decision.failure) {
    log.warn({ event: 'withdrawal.postponed', ...facts, reason: decision.failure }, 'a withdrawal waits')
  }
}
