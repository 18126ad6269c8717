import { utcDay } from '@candela/protocol/calendar'
import type { LiquidationReason } from '@candela/protocol/lending/liquidation'
import type { Insertable } from 'kysely'
import type { Price } from '../../../../chain/price/price.ts'
import { isSpotAway } from '../../../../chain/price/use-price.ts'
import { columnsOf, rowsOf } from '../../../../db/any-of.ts'
import type { Tx } from '../../../../db/open.ts'
import type { Tables } from '../../../../db/tables/index.ts'
import { must } from '../../../../kernel/assert.ts'
import type { IdSource } from '../../../../kernel/ids.ts'
import { accountBalance } from '../../../../ledger/balances.ts'
import { platformAccount } from '../../../../ledger/chart.ts'
import { postNew } from '../../../../ledger/post.ts'
import { bearDeficit } from '../../../fund/bear-deficit.ts'
import { lockFund } from '../../../fund/read-fund.ts'
import { notify } from '../../../notice/notify.ts'
import { saveChanges } from '../record/change-loan.ts'
import { debtOf, type LoanRecord, type LoanRow, nextDueOf, settled } from '../record/loan-record.ts'
import { type Change, chargeStep, join } from '../record/steps.ts'
import { lockLoans } from '../record/store.ts'
import { type Cause, holdBack } from './hold-back.ts'
import { onTheWay as paidOnChain, readChainFacts } from './paid-on-chain.ts'
import { isAtLine, liquidateStep, type LiquidationStep, type Market } from './liquidate-step.ts'

/** The market by a price that is in use for a liquidation. `lookUsdt`: more the pair does not bear in this look. */
export type MarketPrice = Omit<Market, 'deskUsdt'> & { price: Price; lookUsdt: bigint }

/** How many loans were liquidated, in part or whole, and what the desk paid, in USDT base units. */
export type Liquidated = { loans: number; paid: bigint }

type Decided = { before: LoanRecord; charged: LoanRecord; step: LiquidationStep; change: Change; deskUsdt: bigint }

/**
 * Liquidates those of the loans, all of one collateral, for which it is time, in one transaction.
 * @param ids in the order in which the desk's money is for them
 */
export async function liquidateLoans(
  tx: Tx,
  { ids: newIds }: { ids: Pick<IdSource, 'orderNumber'> },
  ids: readonly bigint[],
  market: MarketPrice,
  now: Date,
): Promise<Liquidated> {
  const decided = await decideAll(tx, newIds, ids, market, now)
  const changed = decided.filter(
    ({ before, step }) => step.done !== null || step.goesOn !== (before.row.state === 'liquidating'),
  )
  await saveChanges(
    tx,
    changed.map(({ before, change }) => ({ before, loan: change.loan, done: change.done })),
    now,
  )
  if (changed.some(({ step }) => step.deficit !== null)) await lockFund(tx)
  await postNew(
    tx,
    changed.flatMap(({ change }) => change.postings),
  )
  await report(tx, changed, market, now)
  await notify(tx, ...changed.flatMap(({ change }) => change.notices))
  const done = changed.flatMap(({ step }) => step.done ?? [])
  return { loans: done.length, paid: done.reduce((sum, { plan }) => sum + plan.proceeds, 0n) }
}

async function decideAll(
  tx: Tx,
  newIds: Pick<IdSource, 'orderNumber'>,
  ids: readonly bigint[],
  market: MarketPrice,
  now: Date,
): Promise<Decided[]> {
  const today = utcDay(now)
  const locked = new Map((await lockLoans(tx, ids)).map((loan) => [loan.row.id, loan]))
  const open = ids.flatMap((id) => {
    const before = locked.get(id)
    return before === undefined || before.row.closed_at !== null
      ? []
      : [{ before, charged: chargeStep(before, today, now) }]
  })
  const loans = open.map(({ charged }) => charged.loan)
  const chain = await readChainFacts(tx, loans, now)
  const reasons = await chooseReasons(tx, loans, chain.reasonOf, market, now)
  const stock = await accountBalance(tx, platformAccount('deskInventory', 'USDT'))
  let deskUsdt = stock < market.lookUsdt ? stock : market.lookUsdt
  return open.flatMap(({ before, charged }) => {
    const reason = reasons.get(before.row.id)
    if (reason === undefined) return []
    const onTheWay = paidOnChain(charged.loan, chain.afterPayments(charged.loan))
    const liquidationNo = newIds.orderNumber()
    const step = liquidateStep(charged.loan, { ...market, deskUsdt }, { reason, onTheWay, now, liquidationNo })
    const change = join(charged, step.change)
    const loan = settled(change.loan, today)
    const marked = step.goesOn ? { ...loan, row: { ...loan.row, state: 'liquidating' as const } } : loan
    const decision = { before, charged: charged.loan, step, change: { ...change, loan: marked }, deskUsdt }
    deskUsdt -= step.done?.plan.proceeds ?? 0n
    return [decision]
  })
}

/**
 * Why each loan is sold. What is late waits while the price is paused, and a line while spot is away from the median; those that
 * wait are left out. A loan that is late and at its line need not wait for the first.
 */
async function chooseReasons(
  tx: Tx,
  loans: readonly LoanRecord[],
  reasonOf: (loan: LoanRecord) => LiquidationReason,
  { price, watchPrice }: MarketPrice,
  now: Date,
): Promise<ReadonlyMap<bigint, LiquidationReason>> {
  const reasons = new Map(loans.map((loan) => [loan.row.id, reasonOf(loan)]))
  const late = price.paused ? loans.filter(({ row }) => reasons.get(row.id) !== 'line') : []
  const lateHeld = late.map((loan) => ({ id: loan.row.id, cause: lateCause(loan, reasons.get(loan.row.id)) }))
  for (const id of await holdBack(tx, lateHeld, now)) reasons.set(id, 'line')
  const atLine = loans.filter(({ row }) => reasons.get(row.id) === 'line' && isAtLine(row, watchPrice))
  const held = isSpotAway(price) ? atLine.map(({ row }) => ({ id: row.id, cause: 'line' as const })) : []
  for (const id of await holdBack(tx, held, now)) reasons.delete(id)
  return reasons
}

const lateCause = (loan: LoanRecord, reason: LiquidationReason | undefined): Cause =>
  reason === 'term' ? 'term' : `default:${nextDueOf(loan)?.dueOn ?? loan.row.due_on}`

const known = <T>(value: T | null): T => must(value ?? undefined, 'a price in use is known')

/** Lets deficits be borne, and writes down each liquidation with all figures that it was decided by. */
async function report(tx: Tx, changed: readonly Decided[], market: MarketPrice, now: Date): Promise<void> {
  const rows: Insertable<Tables['loan_liquidation']>[] = []
  for (const { charged, step, deskUsdt } of changed) {
    if (step.done === null) continue
    const borne =
      step.deficit === null
        ? { reservePaid: 0n, fundLost: 0n }
        : await bearDeficit(tx, { loanNo: charged.row.loan_no, ...step.deficit }, now)
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
    median_5: known(price.median5),
    average_30: known(price.average),
    average_day: known(price.dayAverage),
    pair: known(price.pair),
    block_number: known(price.blockNumber),
    observed_at: known(price.observedAt),
    block_5: price.windowBlocks?.minutes5 ?? null,
    block_30: price.windowBlocks?.minutes30 ?? null,
    block_day: price.windowBlocks?.day ?? null,
    sold: plan.sold,
    proceeds: plan.proceeds,
    repaid: plan.repaid,
    fee: plan.fee,
    returned: plan.returned,
    shortfall: plan.shortfall,
    is_incomplete: plan.incomplete,
  }
}
