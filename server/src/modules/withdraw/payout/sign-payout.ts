import { CHAIN_ID } from '@candela/protocol/chain/network'
import { MINUTE_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { queryRows } from '../../../db/query-rows.ts'
import { z } from 'zod'
import { RpcError } from '../../../chain/ask.ts'
import { BLOCKED, NOT_AFFORDABLE, type PayoutSimulation } from '../../../chain/payout/payout-chain.ts'
import { transaction, type Tx } from '../../../db/open.ts'
import { readSettings } from '../../../db/settings.ts'
import { assert } from '../../../kernel/assert.ts'
import { changeState, releaseHold, lockWithdrawal, type WithdrawalRow } from '../change-state.ts'
import { causeOfReview, readEvidence } from '../evidence.ts'
import { hasTurn, nextDue } from './next-due.ts'
import { type ChainNonces, lockPayer, type NoNonce, useNonce } from './payer-nonce.ts'
import { isCausedByRecipient } from './refusals.ts'
import { type Followed, GWEI, PAYOUT_GAS, type PayoutDeps, TRANSFER_GAS } from './payout-deps.ts'

/** Nodes keep few waiting transactions of one account. */
const MAX_WAITING = 16n
const TRY_AGAIN_MS = MINUTE_MS

/** What is decided about a queued withdrawal before anything is signed. */
type Decision =
  | { kind: 'pay'; nonce: bigint }
  /** Not now. `failure` is for the operator. */
  | { kind: 'wait'; reason: 'dailyCap' | 'paused'; failure: string }
  /** Not before an operator has looked at what became known since it was asked for. */
  | { kind: 'review'; reason: 'flagged' | 'reverts' }
  /** Never: this recipient cannot be paid. */
  | { kind: 'fail'; reason: 'recipient'; failure: string }

/**
 * Takes the next queued withdrawal that is due and simulates its payment with the gas that the transaction will offer.
 * Then it signs it and stores the signed transaction together with its nonce, both or neither; or it lets the
 * withdrawal wait, asks for a review, or releases the money. Nothing is sent here. Returns false when none was due.
 *
 * The payer's row is locked while a nonce is given and the transaction stored, so several workers take turns, nonces
 * have no gaps, and none signs what another has signed.
 * @throws RpcError; then nothing has changed
 */
export async function signNext(deps: PayoutDeps, followed: Followed): Promise<boolean> {
  const { db, chain, signer, clock } = deps
  const row = await nextDue(db, clock.now())
  if (row === undefined) return false
  const gasPrice = withMargin(await chain.gasPrice())
  const simulate = () => chain.simulatePayout(followed.tip, signer.address, termsOf(row), { gas: PAYOUT_GAS, gasPrice })
  const [simulation, nonces] = await Promise.all([simulate(), readNonces(chain, followed, signer.address)])
  await assertSureOf(deps, { simulation, nonces }, { simulate, followed })
  const now = clock.now()
  const facts = { simulation, gasPrice, ...nonces, block: followed.tip.number }
  const decision = await transaction(db, (tx) => decideAndSign(tx, deps, row.id, facts, now))
  if (decision !== null) report(deps, row, decision)
  return true
}

/** The payer's nonces as the chain has them. */
async function readNonces(
  chain: PayoutDeps['chain'],
  { tip, finalState }: Followed,
  payer: string,
): Promise<ChainNonces> {
  const [nonceNow, nonceFinal] = await Promise.all([
    chain.nonceAt(tip, payer),
    finalState === null ? null : chain.nonceAt(finalState, payer),
  ])
  return { nonceNow, nonceFinal }
}

const differs = (what: string) => new RpcError('badAnswer', `${what}: two answers of the node differ`)

/**
 * Asks a second time for what would end a withdrawal, and for what would have a nonce left out, in requests of their own: a node
 * that has mixed up answers once gives another one.
 * @throws RpcError when it does
 */
async function assertSureOf(
  { db, chain, signer }: PayoutDeps,
  { simulation, nonces }: { simulation: PayoutSimulation; nonces: ChainNonces },
  { simulate, followed }: { simulate: () => Promise<PayoutSimulation>; followed: Followed },
): Promise<void> {
  if (simulation.refusal !== null && isCausedByRecipient(simulation.refusal)) {
    if ((await simulate()).refusal !== simulation.refusal) throw differs('a trial payment')
  }
  const known = await db
    .selectFrom('payer')
    .select('next_nonce')
    .where('address', '=', signer.address)
    .executeTakeFirst()
  if (nonces.nonceNow <= (known?.next_nonce ?? 0n)) return
  const nonceNow = await chain.nonceAt(followed.tip, signer.address)
  const nonceFinal = followed.finalState === null ? null : await chain.nonceAt(followed.finalState, signer.address)
  if (nonceNow !== nonces.nonceNow || nonceFinal !== nonces.nonceFinal) throw differs('nonce of the payer')
}

type Facts = ChainNonces & {
  simulation: PayoutSimulation
  gasPrice: bigint
  block: bigint
}

/** A quarter above what the node names, so that it is still enough a few blocks later. */
export const withMargin = (price: bigint): bigint => (price * 5n) / 4n + 1n

export const termsOf = (row: WithdrawalRow) => ({
  payoutId: row.payout_id,
  asset: row.asset,
  to: row.to_address,
  amount: row.payout_amount,
})

/** Null when another worker was faster. */
async function decideAndSign(tx: Tx, deps: PayoutDeps, id: bigint, facts: Facts, now: Date): Promise<Decision | null> {
  const next = await lockPayer(tx, deps.signer.address, facts)
  const row = await lockWithdrawal(tx, id)
  if (row?.state !== 'queued' || !(await hasTurn(tx, row.member_id))) return null
  const decision = await decide(tx, deps, row, { ...facts, now, next })
  switch (decision.kind) {
    case 'pay':
      await sign(tx, deps, row, { nonce: decision.nonce, gasPrice: facts.gasPrice }, now)
      break
    case 'wait':
      await tx
        .updateTable('withdrawal')
        .set({
          reason: decision.reason,
          last_failure: decision.failure,
          try_at: new Date(now.getTime() + TRY_AGAIN_MS),
          changed_at: now,
        })
        .where('id', '=', row.id)
        .execute()
      break
    case 'review': {
      const { approvals, review_round } = row
      const change = { reason: decision.reason, approvals: Math.max(1, approvals), review_round: review_round + 1 }
      await changeState(tx, row, 'review', change, now)
      break
    }
    case 'fail':
      await releaseHold(tx, deps.notify, row, 'failed', { reason: decision.reason }, now)
  }
  return decision
}

const wait = (reason: 'dailyCap' | 'paused', failure: string): Decision => ({ kind: 'wait', reason, failure })

type Decided = Facts & { next: bigint | NoNonce; now: Date }

async function decide(tx: Tx, deps: PayoutDeps, row: WithdrawalRow, facts: Decided): Promise<Decision> {
  const { simulation, gasPrice } = facts
  const evidence = await readEvidence(tx, { memberId: row.member_id, address: row.to_address }, facts.now)
  const cause = causeOfReview(evidence, { orphaned: row.seen_orphaned, reverted: row.seen_reverted })
  if (cause !== null) return { kind: 'review', reason: cause }
  if (typeof facts.next !== 'bigint') return wait('paused', facts.next.refused)
  const { payoutGasPriceGwei } = await readSettings(tx)
  const pauseReason = await deps.readPauseReason(tx, facts.now)
  if (pauseReason !== null) return wait('paused', pauseReason)
  const refused = await readRefused(tx, deps.signer.address)
  if (refused !== null)
    return wait('paused', `the chain refuses ${refused}, and nothing after it can be mined: see "withdrawal give-up"`)
  if (gasPrice > BigInt(payoutGasPriceGwei) * GWEI) return wait('paused', `gas costs ${gasPrice} base units now`)
  const inFlight = await readInFlight(tx, deps.signer.address, row.asset, facts)
  if (inFlight.count >= MAX_WAITING) return wait('paused', `${inFlight.count} payouts are under way`)
  if (simulation.gasBalance < inFlight.gasCost + PAYOUT_GAS * gasPrice) {
    return wait('paused', `the payer has ${simulation.gasBalance} base units left for gas: fund ${deps.signer.address}`)
  }
  if (simulation.held < inFlight.amount + row.payout_amount)
    return wait('paused', `the contract holds ${simulation.held} of ${row.asset}`)
  if (simulation.leftOfCap < inFlight.amount + row.payout_amount)
    return wait('dailyCap', `the contract's cap leaves ${simulation.leftOfCap}`)
  return decideByRefusal(simulation.refusal) ?? { kind: 'pay', nonce: facts.next }
}

/** What the simulation showed; null when the payment would succeed. Only what its recipient causes ends a withdrawal. */
export function decideByRefusal(refusal: string | null): Decision | null {
  if (refusal === null) return null
  if (isCausedByRecipient(refusal))
    return { kind: 'fail', reason: 'recipient', failure: refusal === '' ? 'the payment reverts' : refusal }
  switch (refusal) {
    case 'DailyCapExceeded':
      return wait('dailyCap', refusal)
    case BLOCKED:
      return wait('paused', 'the chain has its address, or the payer, on a block list: reject it, or wait')
    case NOT_AFFORDABLE:
      return wait('paused', 'the payer cannot offer what gas costs now')
    default:
      return wait('paused', `the contract says ${refusal}`)
  }
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

const inFlightRow = z.object({ count: z.bigint(), amount: z.bigint(), gasCost: z.bigint() })

/** Signed payouts that the chain's state at a block does not contain and whose nonce it has not used: one that reverted is no more under way. */
async function readInFlight(
  tx: Tx,
  payer: string,
  asset: string,
  { block, nonceNow }: Facts,
): Promise<{ count: bigint; amount: bigint; gasCost: bigint }> {
  const rows = await queryRows(
    tx,
    inFlightRow,
    sql`
    select count(*) as count, coalesce(sum(w.payout_amount) filter (where w.asset = ${asset}), 0) as amount,
      coalesce(sum(t.gas_cost), 0) as "gasCost"
    from withdrawal w
    join lateral (
      select max(gas_price * gas) as gas_cost from payout_transaction where withdrawal_id = w.id
    ) t on true
    where w.state = 'sending' and w.payer = ${payer} and w.nonce >= ${nonceNow} and not exists (
      select from chain_payment e
      where e.action = 'paid' and e.reference = w.payout_id and not e.orphaned and e.block_number <= ${block}
    )`,
  )
  return rows[0] ?? { count: 0n, amount: 0n, gasCost: 0n }
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
  } else if (row.last_failure !== decision.failure) {
    log.warn({ event: 'withdrawal.postponed', ...facts, reason: decision.failure }, 'a withdrawal waits')
  }
}
