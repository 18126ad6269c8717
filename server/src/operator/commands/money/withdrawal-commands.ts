import { codes } from '@candela/protocol/codes/codes'
import { withdrawalStates } from '@candela/protocol/endpoints/withdraw'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Hex } from 'viem'
import { RpcError } from '../../../chain/ask.ts'
import { gatewayView, payoutChain } from '../../../chain/payout/payout-chain.ts'
import type { Tx } from '../../../db/open.ts'
import { must } from '../../../kernel/assert.ts'
import { AppError, OperatorError } from '../../../kernel/errors.ts'
import { systemIds } from '../../../kernel/ids.ts'
import { endUndecided } from '../../../modules/withdraw/payout/lost/end-undecided.ts'
import { explainPayout } from '../../../modules/withdraw/payout/lost/explain-payout.ts'
import { giveUp } from '../../../modules/withdraw/payout/lost/give-up.ts'
import { type NotRestored, restorePaid } from '../../../modules/withdraw/payout/lost/restore-paid.ts'
import { readCaps, readCapUse } from '../../../modules/withdraw/wait/cap-use.ts'
import { type FoundWithdrawal, readWithdrawals } from '../../../modules/withdraw/read-withdrawals.ts'
import { approveWithdrawal, readApprovals, rejectWithdrawal } from '../../../modules/withdraw/review.ts'
import type { OperatorChain } from '../../find-chain.ts'
import type { Bindings } from '../../run.ts'
import { listProposals, type Proposal } from '../../signing/proposals.ts'

type ChainDeps = {
  openChain: () => Promise<OperatorChain>
  /** Confirmations of the largest payments. */
  depth: () => Promise<number>
}

type Name =
  | 'withdrawal list'
  | 'withdrawal approve'
  | 'withdrawal reject'
  | 'withdrawal cap'
  | 'withdrawal give-up'
  | 'withdrawal restore'
  | 'withdrawal end'
  | 'payout explain'

/** The confirmations that a payment needs are the service's setting; the list does not show them. */
const NO_DEPTH = { normal: 1, large: 1, largeAbove: 0n }

export const withdrawalCommands = (deps: ChainDeps): Bindings<Name> => ({
  'withdrawal list': async (tx, options, { now }) => {
    const state = withdrawalStates.find((one) => one === options.state)
    if (options.state !== undefined && state === undefined) {
      throw new OperatorError(`"${options.state}" is no state: there are ${withdrawalStates.join(', ')}`)
    }
    const before = options.before === undefined ? undefined : readId(options.before)
    const found = await readWithdrawals(tx, { state, before, limit: 100 }, NO_DEPTH)
    const proposed = await listProposals(tx, now)
    return found.map((one) => lineOf(one, proposed))
  },
  'withdrawal approve': {
    signers: (tx, { number }) => signersOfApproval(tx, [number].flat()),
    work: async (tx, { number }, { now, operators }) => {
      const numbers = [...new Set([number].flat())]
      const results: Approved[] = []
      for (const each of numbers) results.push(await approveOne(tx, { number: each, operators }, now))
      if (results.every(({ approvedBy }) => approvedBy === null))
        throw refusedApproval('notInReview', numbers.join(', '))
      return results
    },
  },
  'withdrawal cap': async (tx, _input, { now }) => {
    const caps = new Map((await readCaps(tx)).map((one) => [one.asset, one]))
    return (await readCapUse(tx, now, 10)).map(({ asset, member_id: uid, inviter_id: invitedBy, ...use }) => ({
      asset,
      uid,
      invitedBy,
      withdrawals: use.withdrawals,
      paid: fromBaseUnits(use.amount),
      ofItFresh: fromBaseUnits(use.fresh),
      cap: fromBaseUnits(caps.get(asset)?.cap ?? 0n),
      leftOfCap: fromBaseUnits(caps.get(asset)?.left ?? 0n),
    }))
  },
  'withdrawal give-up': async (tx, { number }, { now }) => {
    const isGivenUp = await giveUp(tx, number, now)
    if (!isGivenUp) throw new OperatorError(`the chain does not refuse the payout of a withdrawal ${number}`)
    return { number, givenUpAt: now }
  },
  'withdrawal reject': async (tx, { number, note }, { now }) => {
    const rejected = await rejectWithdrawal(tx, number, note, now)
    if (rejected === undefined) throw new OperatorError(`there is no withdrawal ${number}`)
    if (!rejected) throw new OperatorError(`withdrawal ${number} is signed or over: it cannot be rejected`)
    return { number, rejectedAt: now }
  },
  'withdrawal restore': async (tx, { event }, { now }) => {
    const withdrawalNo = systemIds({ now: () => now }).orderNumber()
    const restored = await restorePaid(tx, { eventId: readId(event), withdrawalNo }, now).catch(refuseWhenShort)
    if (typeof restored === 'string') throw new OperatorError(`payment ${event} ${notRestored[restored]}`)
    return { ...restored, amount: fromBaseUnits(restored.amount) }
  },
  'payout explain': async (tx, { event, note, booked }, { now }) => {
    const explained = await explainPayout(tx, { eventId: readId(event), note, isBooked: booked === true }, now)
    if (explained === undefined) throw new OperatorError(`payment ${event} ${notRestored.unknown}`)
    return {
      event,
      ...explained,
      amount: fromBaseUnits(explained.amount),
      bornBy: booked === true ? 'booked before' : 'the platform',
    }
  },
  'withdrawal end': (tx, input, { now }) => endWithdrawal(tx, input, deps, now),
})

async function endWithdrawal(
  tx: Tx,
  { number, usedBy }: { number: string; usedBy: string },
  { openChain, depth }: ChainDeps,
  now: Date,
) {
  const { client, gateway, hash, assets } = await openChain()
  const usdt = must([...assets()].find(([, asset]) => asset === 'USDT')?.[0], 'the contract takes USDT') as Hex
  try {
    const contract = gatewayView(client, gateway)
    const ended = await endUndecided(
      tx,
      { withdrawalNo: number, usedBy },
      { chain: payoutChain(client, { gateway, usdt, hash }), contract, depth: await depth(), now },
    )
    if ('refused' in ended) throw new OperatorError(ended.refused)
    return { number, usedBy, ...ended, endedAt: now }
  } catch (error) {
    if (error instanceof RpcError) throw new OperatorError(error.message, { cause: error })
    throw error
  }
}

const notRestored: Record<NotRestored, string> = {
  unknown: 'is no payment out that could not be settled: see `chain trouble`',
  known: 'belongs to a withdrawal that is in the books: something else is wrong with it',
  noMember: 'went to an address that no member has',
}

/** @throws what it was given; of a member who has too little, in words */
function refuseWhenShort(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== codes.notEnoughBalance) throw error
  const available = String(error.params['available'])
  throw new OperatorError(`the member has ${available} left: \`payout explain\` books it as the platform’s loss`)
}

/** When one of them is large, two. @throws OperatorError when one is unknown, or none waits for review */
async function signersOfApproval(tx: Tx, numbers: readonly string[]): Promise<1 | 2> {
  const approvals: number[] = []
  for (const number of numbers) {
    const needed = await readApprovals(tx, number)
    if (needed === 'unknown') throw refusedApproval(needed, number)
    if (needed !== 'notInReview') approvals.push(needed)
  }
  if (approvals.length === 0) throw refusedApproval('notInReview', numbers.join(', '))
  return Math.max(...approvals) > 1 ? 2 : 1
}

type Approved = { number: string; approvedBy: string | null }

/** One that has left review meanwhile, by itself or because another operator was faster, is left as it is. */
async function approveOne(
  tx: Tx,
  { number, operators }: { number: string; operators: readonly string[] },
  now: Date,
): Promise<Approved> {
  const result = await approveWithdrawal(tx, number, operators, now)
  if (result === 'unknown' || result === 'tooFew') throw refusedApproval(result, number)
  return { number, approvedBy: result === 'approved' ? operators.join(', ') : null }
}

function refusedApproval(why: 'unknown' | 'notInReview' | 'tooFew', number: string): OperatorError {
  const words = {
    tooFew: `withdrawal ${number} needs more operators`,
    notInReview: `withdrawal ${number} does not wait for review`,
    unknown: `there is no withdrawal ${number}`,
  }
  return new OperatorError(words[why])
}

function lineOf({ withdrawal, ...row }: FoundWithdrawal, proposals: readonly Proposal[]) {
  const isProposed = ({ command, input }: Proposal): boolean =>
    command === 'withdrawal approve' && [input['number']].flat().includes(withdrawal.withdrawalNo)
  const signed = row.approvedBy.length + (withdrawal.state === 'review' ? proposals.filter(isProposed).length : 0)
  return {
    number: withdrawal.withdrawalNo,
    state: withdrawal.state,
    reason: withdrawal.reason,
    asset: withdrawal.asset,
    amount: withdrawal.amount,
    received: withdrawal.received,
    worthUsdt: fromBaseUnits(row.worthUsdt),
    to: withdrawal.to,
    approved: `${signed}/${row.approvals}`,
    createdAt: withdrawal.createdAt,
    txHash: withdrawal.txHash,
    lastFailure: row.lastFailure,
    id: row.id,
  }
}

function readId(text: string): bigint {
  if (/^[1-9][0-9]{0,17}$/.test(text)) return BigInt(text)
  throw new OperatorError(`"${text}" is not an id`)
}
