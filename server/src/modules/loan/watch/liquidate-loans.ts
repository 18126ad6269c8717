import { utcDay } from '@candela/protocol/calendar'
import type { Insertable } from 'kysely'
import type { Price } from '../../../chain/price/price.ts'
import { columnsOf, rowsOf } from '../../../db/any-of.ts'
import type { Tx } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { must } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { accountBalance } from '../../../ledger/balances.ts'
import { platformAccount } from '../../../ledger/chart.ts'
import { postNew } from '../../../ledger/post.ts'
import { type ChangeDeps, saveChanges } from '../record/change-loan.ts'
import { debtOf, type LoanRecord, type LoanRow, settled } from '../record/loan-record.ts'
import { type Change, chargeStep, join } from '../record/steps.ts'
import { lockLoans } from '../record/store.ts'
import { onTheWay as paidOnChain, readChainFacts } from './paid-on-chain.ts'
import { liquidateStep, type LiquidationStep, type Market } from './liquidate-step.ts'

export type LiquidationDeps = ChangeDeps & {
  ids: Pick<IdSource, 'orderNumber'>
  /** Until the transaction ends nobody else changes the fund's shares. */
  lockFund: (tx: Tx) => Promise<unknown>
  /** Lets the reserve and then the fund take a debt that nothing is left to pay for. */
  bearDeficit: (
    tx: Tx,
    debt: { loanNo: string; fundPart: bigint; reservePart: bigint },
    now: Date,
  ) => Promise<{ reservePaid: bigint; fundLost: bigint }>
}

/** What a price says that is in use for a liquidation. */
export type MarketPrice = Omit<Market, 'deskUsdt'> & { price: Price }

type Decided = { before: LoanRecord; charged: LoanRecord; step: LiquidationStep; change: Change; deskUsdt: bigint }

/**
 * Liquidates those of the loans, all of one collateral, for which it is time, in one transaction.
 * @returns how many were liquidated, in part or whole
 */
export async function liquidateLoans(
  tx: Tx,
  deps: LiquidationDeps,
  ids: readonly bigint[],
  market: MarketPrice,
  now: Date,
): Promise<number> {
  const decided = await decideAll(tx, deps, ids, market, now)
  const changed = decided.filter(
    ({ before, step }) => step.done !== null || step.goesOn !== (before.row.state === 'liquidating'),
  )
  await saveChanges(
    tx,
    deps,
    changed.map(({ before, change }) => ({ before, loan: change.loan, done: change.done })),
    now,
  )
  if (changed.some(({ step }) => step.deficit !== null)) await deps.lockFund(tx)
  await postNew(
    tx,
    changed.flatMap(({ change }) => change.postings),
  )
  await report(tx, deps, changed, market, now)
  await deps.notify(tx, ...changed.flatMap(({ change }) => change.notices))
  return changed.filter(({ step }) => step.done !== null).length
}

async function decideAll(
  tx: Tx,
  deps: LiquidationDeps,
  ids: readonly bigint[],
  market: MarketPrice,
  now: Date,
): Promise<Decided[]> {
  const today = utcDay(now)
  const locked = await lockLoans(tx, ids)
  let deskUsdt = await accountBalance(tx, platformAccount('deskInventory', 'USDT'))
  const open = locked
    .filter(({ row }) => row.closed_at === null)
    .map((before) => ({ before, charged: chargeStep(before, today, now) }))
  const chain = await readChainFacts(
    tx,
    open.map(({ charged }) => charged.loan),
    now,
  )
  return open.flatMap(({ before, charged }) => {
    const reason = chain.reasonOf(charged.loan)
    const onTheWay = paidOnChain(charged.loan, chain.afterPayments(charged.loan))
    const { watchPrice, salePrice } = market
    const liquidationNo = deps.ids.orderNumber()
    const step = liquidateStep(
      charged.loan,
      { watchPrice, salePrice, deskUsdt },
      { reason, onTheWay, now, liquidationNo },
    )
    const change = join(charged, step.change)
    const loan = settled(change.loan, today)
    const marked = step.goesOn ? { ...loan, row: { ...loan.row, state: 'liquidating' as const } } : loan
    const decision = { before, charged: charged.loan, step, change: { ...change, loan: marked }, deskUsdt }
    deskUsdt -= step.done?.plan.proceeds ?? 0n
    return [decision]
  })
}

const known = <T>(value: T | null): T => must(value ?? undefined, 'a price in use is known')

/** Lets deficits be borne, and writes down each liquidation with all figures that it was decided by. */
async function report(
  tx: Tx,
  deps: LiquidationDeps,
  changed: readonly Decided[],
  market: MarketPrice,
  now: Date,
): Promise<void> {
  const rows: Insertable<Tables['loan_liquidation']>[] = []
  for (const { charged, step, deskUsdt } of changed) {
    if (step.done === null) continue
    const borne =
      step.deficit === null
        ? { reservePaid: 0n, fundLost: 0n }
        : await deps.bearDeficit(tx, { loanNo: charged.row.loan_no, ...step.deficit }, now)
    rows.push({ ...describe(charged.row, step.done, market), ...borneOf(borne), desk_usdt: deskUsdt, at: now })
  }
  if (rows.length === 0) return
  await tx
    .insertInto('loan_liquidation')
    .columns(columnsOf(rows))
    .expression(rowsOf('loan_liquidation', rows))
    .execute()
}

const borneOf = ({ reservePaid, fundLost }: { reservePaid: bigint; fundLost: bigint }) => ({
  reserve_paid: reservePaid,
  fund_lost: fundLost,
})

function describe(
  row: LoanRow,
  { plan, reason, liquidationNo }: NonNullable<LiquidationStep['done']>,
  { price, watchPrice, salePrice }: MarketPrice,
) {
  return {
    liquidation_no: liquidationNo,
    loan_id: row.id,
    reason,
    is_full: plan.full,
    ...debtOf(row),
    collateral: row.collateral,
    watch_price: watchPrice,
    sale_price: salePrice,
    spot: known(price.spot),
    average_5: known(price.average5),
    average_30: known(price.average),
    pair: known(price.pair),
    block_number: known(price.blockNumber),
    observed_at: known(price.observedAt),
    sold: plan.sold,
    proceeds: plan.proceeds,
    repaid: plan.repaid,
    fee: plan.fee,
    returned: plan.returned,
    shortfall: plan.shortfall,
    is_incomplete: plan.incomplete,
  }
}
