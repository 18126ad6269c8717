import { addDays, utcDay } from '@candela/protocol/calendar'
import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import { setTimeout as sleep } from 'node:timers/promises'
import { RpcError } from '../../chain/ask.ts'
import { REVENUE_DAYS_BACK } from '../../chain/follow/revenue-day.ts'
import { depositRevenue, RevenueRefused } from '../../chain/payment/deposit-revenue.ts'
import type { Database, Tx } from '../../db/open.ts'
import { OperatorError } from '../../kernel/errors.ts'
import { firstOpenDay } from '../../modules/income/open-day.ts'
import type { OperatorChain } from '../find-chain.ts'
import { readDayText } from '../options/day-text.ts'
import type { Bindings, Run } from '../run.ts'

const LOOK_MS = 250
/** The rows of a list. */
const DEPOSITS_SHOWN = 100

/** The parts that these commands need besides the transaction that writes them down. */
export type RevenueDeps = {
  openDatabase: () => Promise<Database>
  openChain: () => Promise<OperatorChain>
  /** Confirmations of the largest payments. */
  depth: () => Promise<number>
  /** How long a deposit waits to be seen by the service. */
  seenWithin_ms: number
}

export const revenueCommands = (deps: RevenueDeps): Bindings<'revenue post' | 'revenue list'> => ({
  'revenue post': { act: (options, run) => postRevenue(run, deps, options) },
  'revenue list': (tx, options) => listDeposits(tx, readFilter(options)),
})

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
  const again = options.again === true ? { again: true } : {}
  const facts = { day, amount: fromBaseUnits(parsed.amount), from: signer.address, ...again }
  // Written down before anything is sent: a chain does not take back what a failed command has done.
  const write = async (tx: Tx, _input: unknown, { now }: { now: Date }) => {
    if (day > utcDay(now)) throw new OperatorError(`${day} has not begun`)
    const earliest = addDays(utcDay(now), -REVENUE_DAYS_BACK)
    if (day < earliest)
      throw new OperatorError(`${day} is too long ago: revenue is taken for ${earliest} at the earliest`)
    await refuseClosed(tx, day)
    if (options.again !== true) await refuseSecond(tx, day, signer.address)
    return { ...facts, state: 'sending' }
  }
  await run('revenue post', facts, { work: write })
  try {
    const sent = await depositRevenue({ ...chain, signer }, { day, amount: parsed.amount })
    const seen = await isSeen(deps, sent.deposit)
    const state = seen
      ? 'seen by the service: the day can be closed'
      : 'not seen by the service yet: do not close the day'
    const posted = { day, approval: sent.approval, deposit: sent.deposit, block: sent.blockNumber, state }
    const written = { ...facts, ...sent, blockNumber: String(sent.blockNumber) }
    await run('revenue posted', written, { work: () => Promise.resolve(posted) })
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

/** Revenue for a closed day counts for the day of its block instead, and the chain does not give it back. */
async function refuseClosed(tx: Tx, day: string): Promise<void> {
  const open = await firstOpenDay(tx)
  if (open === null || day >= open) return
  throw new OperatorError(`${day} is closed: what comes for it now would count for a later day`)
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

function readFilter({ payer, before }: { payer?: string | undefined; before?: string | undefined }): DepositFilter {
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
