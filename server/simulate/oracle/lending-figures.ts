import { sql } from 'kysely'
import { lendingActs } from '../run/lending-book.ts'
import type { Simulation } from '../run/simulation.ts'

/** How often each act of lending succeeded: a simulation in which all are refused shows nothing. */
export async function lendingFigures({ db, lending }: Simulation): Promise<Record<string, number>> {
  const figures: Record<string, number> = Object.fromEntries(lendingActs.map((act) => [act, 0]))
  for (const { act } of lending.done.values()) figures[act] = (figures[act] ?? 0) + 1
  const { rows } = await sql<Record<string, bigint>>`
    select
      (select count(*) from chain_event where outcome = 'loan') as "repaidOnChain",
      (select count(*) from chain_event where action = 'repay' and outcome <> 'loan') as "repaidNothing",
      (select count(*) from loan_liquidation) as liquidations,
      (select count(*) from loan_liquidation where shortfall > 0) as deficits,
      (select count(*) from fund_price where reason = 'close') as "lendingDays",
      (select count(*) from income_day) as "incomeDays"`.execute(db)
  for (const [name, count] of Object.entries(rows[0] ?? {})) figures[name] = Number(count)
  return figures
}
