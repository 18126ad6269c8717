import { codes } from '@candela/protocol/codes/codes'
import { AppError, OperatorError } from '../../kernel/errors.ts'
import { systemIds } from '../../kernel/ids.ts'
import { isAssetCode } from '@candela/protocol/money/assets'
import { withdrawalStates } from '@candela/protocol/endpoints/withdraw'
import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import type { Command } from 'commander'
import type { Hex } from 'viem'
import { must } from '../../kernel/assert.ts'
import { RpcError } from '../../chain/ask.ts'
import { gatewayView, payoutChain } from '../../chain/payout/payout-chain.ts'
import type { Tx } from '../../db/open.ts'
import { notify } from '../../modules/notice/notify.ts'
import { bookDifference } from '../../modules/reconcile/book-difference.ts'
import { readLastReconciliation, readLines } from '../../modules/reconcile/pause.ts'
import { endUndecided } from '../../modules/withdraw/payout/lost/end-undecided.ts'
import { giveUp } from '../../modules/withdraw/payout/lost/give-up.ts'
import { type NotRestored, restorePaid } from '../../modules/withdraw/payout/lost/restore-paid.ts'
import { readCaps, readCapUse } from '../../modules/withdraw/wait/cap-use.ts'
import { type FoundWithdrawal, readWithdrawals } from '../../modules/withdraw/read-withdrawals.ts'
import { approveWithdrawal, readApprovals, rejectWithdrawal } from '../../modules/withdraw/review.ts'
import type { OperatorChain } from '../find-chain.ts'
import type { Run } from '../run.ts'
import { listProposals, type Proposal } from '../signing/proposals.ts'

/** A comparison that is older was not made by a service that works. */
const FRESH_MS = 180_000

type ChainDeps = {
  openChain: () => Promise<OperatorChain>
  /** Confirmations of the largest payments. */
  depth: () => Promise<number>
}

export function addWithdrawals(program: Command, run: Run, deps: ChainDeps): void {
  const group = program.command('withdrawal').description('money on its way out')
  group
    .command('list')
    .option('--state <state>', `one of ${withdrawalStates.join(', ')}`)
    .option('--before <id>', 'older than this one')
    .action((options: { state?: string; before?: string }) =>
      run({ command: 'withdrawal list', signers: 0 }, options, async (tx, now) => {
        const state = withdrawalStates.find((one) => one === options.state)
        if (options.state !== undefined && state === undefined) {
          throw new OperatorError(`"${options.state}" is no state: there are ${withdrawalStates.join(', ')}`)
        }
        const before = options.before === undefined ? undefined : readId(options.before)
        // The confirmations that a payment needs are the service's setting; the list does not show them.
        const found = await readWithdrawals(tx, { state, before, limit: 100 }, () => 1)
        const proposed = await listProposals(tx, now)
        return found.map((one) => lineOf(one, proposed))
      }),
    )
  group
    .command('cap')
    .description('who has used the contract’s cap in the last 24 hours: the ten members with most, by asset')
    .action(() =>
      run({ command: 'withdrawal cap', signers: 0 }, {}, async (tx, now) => {
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
      }),
    )
  group
    .command('approve')
    .description('let withdrawals that wait for review be paid; when one of them is large, two operators')
    .argument('<number...>')
    .action((numbers: string[]) =>
      run(
        { command: 'withdrawal approve', signers: (tx) => signersOfApproval(tx, numbers) },
        numbers.length === 1 ? { number: numbers[0] } : { numbers },
        async (tx, now, operators) => {
          const results: Awaited<ReturnType<typeof approveOne>>[] = []
          for (const number of new Set(numbers)) results.push(await approveOne(tx, { number, operators }, now))
          if (results.every(({ approvedBy }) => approvedBy === null))
            throw refusedApproval('notInReview', numbers.join(', '))
          return results
        },
      ),
    )
  group
    .command('reject')
    .description('refuse a withdrawal that is not signed yet; the money goes back')
    .argument('<number>')
    .requiredOption('--note <text>', 'why, in words that its owner reads')
    .action((number: string, { note }: { note: string }) =>
      run({ command: 'withdrawal reject', signers: 1 }, { number, note }, async (tx, now) => {
        const rejected = await rejectWithdrawal(tx, notify, number, note, now)
        if (rejected === undefined) throw new OperatorError(`there is no withdrawal ${number}`)
        if (!rejected) throw new OperatorError(`withdrawal ${number} is signed or over: it cannot be rejected`)
        return { number, rejectedAt: now }
      }),
    )
  group
    .command('restore')
    .description('make the lost withdrawal anew that a payment out belongs to: takes what was paid from its member')
    .argument('<event>', 'as `chain trouble` shows it')
    .action((event: string) =>
      run({ command: 'withdrawal restore', signers: 2 }, { event }, async (tx, now) => {
        const withdrawalNo = systemIds({ now: () => now }).orderNumber()
        const restored = await restorePaid(tx, { eventId: readId(event), withdrawalNo }, now).catch(refuseWhenShort)
        if (typeof restored === 'string') throw new OperatorError(`payment ${event} ${notRestored[restored]}`)
        return { ...restored, amount: fromBaseUnits(restored.amount) }
      }),
    )
  group
    .command('give-up')
    .description(
      'let an empty transaction use the nonce of a payout that the chain does not take; then the money goes back',
    )
    .argument('<number>')
    .action((number: string) =>
      run({ command: 'withdrawal give-up', signers: 2 }, { number }, async (tx, now) => {
        const isGivenUp = await giveUp(tx, number, now)
        if (!isGivenUp) throw new OperatorError(`the chain does not refuse the payout of a withdrawal ${number}`)
        return { number, givenUpAt: now }
      }),
    )
  group
    .command('end')
    .description('end a signed withdrawal whose nonce something else has used; the money goes back')
    .argument('<number>')
    .requiredOption('--used-by <hash>', 'the transaction that used the nonce, as an explorer shows it')
    .action((number: string, { usedBy }: { usedBy: string }) => {
      if (!/^0x[0-9a-f]{64}$/.test(usedBy)) throw new OperatorError(`"${usedBy}" is not the hash of a transaction`)
      return run({ command: 'withdrawal end', signers: 2 }, { number, usedBy }, (tx, now) =>
        endWithdrawal(tx, { number, usedBy }, deps, now),
      )
    })
}

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
      { chain: payoutChain(client, { gateway, usdt, hash }), contract, notify, depth: await depth(), now },
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
  throw new OperatorError(`the member has ${available} left: book the difference with \`reconcile book\` as a loss`)
}

export function addReconciliation(program: Command, run: Run): void {
  const group = program.command('reconcile').description('the books compared with the chain, each minute')
  group
    .command('show', { isDefault: true })
    .description('the last comparison')
    .action(() => run({ command: 'reconcile show', signers: 0 }, {}, showLast))
  group
    .command('book')
    .description('take a difference that is explained into the books, as the last comparison shows it')
    .argument('<asset>', 'JU, USDT or HASH')
    .argument(
      '<difference>',
      'found minus expected, such as 0.5, or -0.5 after a double dash; 0 when a tolerated surplus is gone',
    )
    .requiredOption('--note <text>', 'what explains it')
    .action((asset: string, difference: string, { note }: { note: string }) =>
      run({ command: 'reconcile book', signers: 1 }, { asset, difference, note }, async (tx, now) => {
        if (!isAssetCode(asset)) throw new OperatorError(`there is no asset "${asset}"`)
        const amount = readDifference(difference)
        if (!(await bookDifference(tx, { asset, difference: amount, note }, now))) {
          throw new OperatorError(`the last comparison did not find ${difference} ${asset}, or it is booked already`)
        }
        return { asset, difference, note }
      }),
    )
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

/** One that has left review meanwhile, by itself or because another operator was faster, is left as it is. */
async function approveOne(
  tx: Tx,
  { number, operators }: { number: string; operators: readonly string[] },
  now: Date,
): Promise<{ number: string; approvedBy: string | null }> {
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

async function showLast(tx: Tx, now: Date) {
  const last = await readLastReconciliation(tx)
  if (last === undefined) throw new OperatorError('nothing was compared yet: start the service')
  if (now.getTime() - last.at.getTime() > FRESH_MS) {
    throw new OperatorError(
      `the last comparison is of ${last.at.toISOString()}: the service does not run, is behind, or its node does not answer`,
    )
  }
  const lines = await readLines(tx, last.id)
  return lines.map(({ asset, expected, found, tolerated }) => ({
    asset,
    expected: fromBaseUnits(expected),
    found: fromBaseUnits(found),
    difference: fromBaseUnits(found - expected),
    tolerated: fromBaseUnits(tolerated),
    block: last.block_number,
    at: last.at,
    withdrawals: last.paused ? 'paused' : 'open',
  }))
}

function lineOf({ withdrawal, ...row }: FoundWithdrawal, proposals: readonly Proposal[]) {
  const isProposed = ({ command, input }: Proposal): boolean =>
    command === 'withdrawal approve' && [input['number'], input['numbers']].flat().includes(withdrawal.withdrawalNo)
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

function readDifference(text: string): bigint {
  const negative = text.startsWith('-')
  const parsed = parseAmount(negative ? text.slice(1) : text)
  if (!parsed.ok) throw new OperatorError(`"${text}" is not an amount`)
  return negative ? -parsed.amount : parsed.amount
}
