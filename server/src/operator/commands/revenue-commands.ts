import { AppError, OperatorError } from '../../kernel/errors.ts'
import { codes } from '@candela/protocol/codes/codes'
import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { RpcError } from '../../chain/ask.ts'
import { depositRevenue, RevenueRefused } from '../../chain/payment/deposit-revenue.ts'
import type { Database, Tx } from '../../db/open.ts'
import { REVENUE_DAYS_BACK } from '../../chain/follow/revenue-day.ts'
import { addDays, isDay, yesterdayOf, utcDay } from '@candela/protocol/calendar'
import { closeFundDay } from '../../modules/fund/close-day.ts'
import { closeDays } from '../../modules/income/close-days.ts'
import { readDay } from '../../modules/income/read-day.ts'
import { closeCredit } from '../../modules/loan/daily/close-credit.ts'
import { notify } from '../../modules/notice/notify.ts'
import { addLent } from '../../modules/project/lend.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { OperatorChain } from '../find-chain.ts'
import type { Run } from '../run.ts'

const LOOK_MS = 250
/** Of a list. */
const DEPOSITS_SHOWN = 100

/** What these commands need besides the transaction that writes them down. */
export type RevenueDeps = {
  clock: Clock
  openDatabase: () => Promise<Database>
  openChain: () => Promise<OperatorChain>
  /** Confirmations of the largest payments. */
  depth: () => Promise<number>
  /** How long a deposit waits to be seen by the service. */
  seenWithin_ms: number
}

export function addRevenue(program: Command, run: Run, deps: RevenueDeps): void {
  const group = program.command('revenue').description('the output of a day, deposited on chain for its members')
  group
    .command('post')
    .description('approve and deposit a day’s revenue from the operator’s own account (OPERATOR_KEY_FILE)')
    .requiredOption('--day <YYYY-MM-DD>', 'the UTC day that earned it')
    .requiredOption('--amount <hash>', 'HASH, such as 1250.5')
    .option('--again', 'though a deposit for this day is known already')
    .action((options: { day: string; amount: string; again?: boolean }) => postRevenue(run, deps, options))
  group
    .command('list')
    .description('deposits of revenue, newest first, with the day that each counted for')
    .option('--payer <address>', 'only those from this account: anybody may send a gift')
    .option('--before <id>', 'only those older than the deposit with this id, to read on')
    .action((options: { payer?: string; before?: string }) => {
      const filter = readFilter(options)
      return run({ command: 'revenue list', signers: 0 }, options, (tx) => listDeposits(tx, filter))
    })
}

async function postRevenue(
  run: Run,
  deps: RevenueDeps,
  options: { day: string; amount: string; again?: boolean },
): Promise<void> {
  const day = readDayText(options.day)
  const parsed = parseAmount(options.amount)
  if (!parsed.ok || parsed.amount === 0n) throw new OperatorError(`"${options.amount}" is not an amount of HASH`)
  const chain = await deps.openChain()
  const signer = await chain.signer()
  const facts = { day, amount: fromBaseUnits(parsed.amount), from: signer.address }
  // Written down before anything is sent: a chain does not take back what a failed command has done.
  await run({ command: 'revenue post', signers: 1 }, facts, async (tx, now) => {
    if (day > utcDay(now)) throw new OperatorError(`${day} has not begun`)
    const earliest = addDays(utcDay(now), -REVENUE_DAYS_BACK)
    if (day < earliest)
      throw new OperatorError(`${day} is too long ago: revenue is taken for ${earliest} at the earliest`)
    if (options.again !== true) await refuseSecond(tx, day, signer.address)
    return { ...facts, state: 'sending' }
  })
  try {
    const sent = await depositRevenue({ ...chain, signer }, { day, amount: parsed.amount })
    const seen = await isSeen(deps, sent.deposit)
    await run(
      { command: 'revenue posted', signers: 1 },
      { ...facts, ...sent, blockNumber: String(sent.blockNumber) },
      () =>
        Promise.resolve({
          day,
          approval: sent.approval,
          deposit: sent.deposit,
          block: sent.blockNumber,
          state: seen
            ? 'seen by the service: the day can be closed'
            : 'not seen by the service yet: do not close the day',
        }),
    )
  } catch (error) {
    if (error instanceof RevenueRefused || error instanceof RpcError)
      throw new OperatorError(error.message, { cause: error })
    throw error
  }
}

/** A day that is closed before its deposit is seen would pay nothing, and the deposit would count for the next one. */
async function isSeen({ openDatabase, seenWithin_ms }: RevenueDeps, txHash: string): Promise<boolean> {
  const db = await openDatabase()
  try {
    for (let waited_ms = 0; ; waited_ms += LOOK_MS) {
      const event = await db.selectFrom('chain_payment').select('id').where('tx_hash', '=', txHash).executeTakeFirst()
      if (event !== undefined || waited_ms >= seenWithin_ms) return event !== undefined
      await sleep(LOOK_MS)
    }
  } finally {
    await db.destroy()
  }
}

/** Only the operator's own deposits are asked about: a stranger's gift must not make `--again` a habit. */
async function refuseSecond(tx: Tx, day: string, payer: string): Promise<void> {
  const known = await tx
    .selectFrom('chain_payment')
    .select(['tx_hash', 'amount'])
    .where('revenue_day', '=', day)
    .where('payer', '=', payer)
    .where((eb) => eb.not(eb.ref('orphaned')))
    .executeTakeFirst()
  if (known === undefined) return
  throw new OperatorError(
    `${fromBaseUnits(known.amount)} HASH were deposited for ${day} by ${known.tx_hash}: add --again to deposit more`,
  )
}

type DepositFilter = { payer: string | undefined; before: bigint | undefined }

function readFilter({ payer, before }: { payer?: string; before?: string }): DepositFilter {
  if (payer !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(payer)) throw new OperatorError(`"${payer}" is not an address`)
  if (before !== undefined && !/^[1-9][0-9]{0,17}$/.test(before)) throw new OperatorError(`"${before}" is not an id`)
  return { payer: payer?.toLowerCase(), before: before === undefined ? undefined : BigInt(before) }
}

async function listDeposits(tx: Tx, { payer, before }: DepositFilter) {
  const rows = await tx
    .selectFrom('chain_payment as e')
    .leftJoin('income_deposit as i', 'i.chain_event_id', 'e.id')
    .select(['e.id', 'e.reference', 'e.amount', 'e.payer', 'e.tx_hash', 'e.state', 'i.day'])
    .where('e.action', '=', 'revenue')
    .$if(payer !== undefined, (query) => query.where('e.payer', '=', payer ?? ''))
    .$if(before !== undefined, (query) => query.where('e.id', '<', before ?? 0n))
    .orderBy('e.id', 'desc')
    .limit(DEPOSITS_SHOWN)
    .execute()
  return rows.map(({ id, reference, amount, payer: from, tx_hash, state, day }) => ({
    id,
    forDay: reference,
    amount: fromBaseUnits(amount),
    state,
    countedOn: day,
    payer: from,
    txHash: tx_hash,
  }))
}

export function addClose(program: Command, run: Run, deps: RevenueDeps): void {
  program
    .command('close')
    .description(
      'share the revenue, and charge the loans, of every day up to this one that is not closed; again does nothing new',
    )
    .option('--day <YYYY-MM-DD>', 'a UTC day that is over; yesterday when left out')
    .action((options: { day?: string }) => {
      const yesterday = yesterdayOf(deps.clock.now())
      const day = options.day === undefined ? yesterday : readDayText(options.day)
      if (day > yesterday) throw new OperatorError(`${day} is not over`)
      // The close takes many transactions, and the follower may be waiting for what this one would hold.
      const write = () => Promise.resolve({ day, state: 'closing' })
      return run({ command: 'close', signers: 1 }, { day }, write, () => closeUpTo(deps, day))
    })
}

async function closeUpTo(deps: RevenueDeps, day: string) {
  const db = await deps.openDatabase()
  try {
    // First, because it waits for no deposits.
    const credit = await closeCredit({ db, clock: deps.clock, notify, addLent, closeFundDay }, day)
    return await shareRevenue(db, deps, { day, credit })
  } finally {
    await db.destroy()
  }
}

/** @param credit the days that the loans and the fund were closed for before */
async function shareRevenue(db: Database, deps: RevenueDeps, { day, credit }: { day: string; credit: string[] }) {
  try {
    const { closed, waits } = await closeDays({ db, clock: deps.clock, depth: await deps.depth() }, day)
    if (waits !== null && closed.length === 0) throw new OperatorError(`${day} cannot be closed yet: ${waits}`)
    const days = closed.length > 0 ? closed : [day]
    const lines = await Promise.all(
      days.map(async (each) => {
        const { plans: _plans, deposits, unit, ...figures } = await readDay(db, each)
        const state = closed.includes(each) ? 'closed now' : 'closed before'
        const loans = credit.includes(each) ? 'closed now' : 'closed before'
        return {
          ...figures,
          closed: state,
          loans,
          totalUnits: `${figures.totalUnits} ${unit}`,
          deposits: deposits.length,
        }
      }),
    )
    return waits === null ? lines : [...lines, { day, closed: `not yet: ${waits}` }]
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== codes.notFound) throw error
    const days = credit.length > 1 ? `${credit[0]} to ${credit.at(-1)}` : credit[0]
    const loans = days === undefined ? 'were closed before' : `are closed for ${days}`
    return { done: `the loans and the fund ${loans}; no revenue was shared, because nobody had power up to ${day}` }
  }
}

function readDayText(text: string): string {
  if (isDay(text)) return text
  throw new OperatorError(`"${text}" is not a day such as 2026-01-31`)
}
