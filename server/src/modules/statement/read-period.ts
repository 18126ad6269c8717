import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import type { PeriodBalance } from '@candela/protocol/endpoints/statement'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import { memberAccount } from '../../ledger/chart.ts'
import { balancesBefore, readFinalBefore } from '../../ledger/statement/period.ts'
import { accountsOf, type Filter } from './read-statement.ts'

type Period = { since: Date | undefined; before: Date }

/** The balances of a member at both ends of a period, for each account that the filter wants. */
export async function readBalances(
  db: Database,
  memberId: bigint,
  filter: Pick<Filter, 'asset' | 'account'>,
  { since, before }: Period,
): Promise<PeriodBalance[]> {
  const wanted = accountsOf(filter)
  const accounts = wanted.map(({ name, code }) => memberAccount(memberId, name, code))
  const [opening, closing] = await Promise.all([
    since === undefined ? [] : balancesBefore(db, accounts, since),
    balancesBefore(db, accounts, before),
  ])
  return wanted.map(({ account, code }, place) => ({
    asset: code,
    account,
    opening: fromBaseUnits(opening[place] ?? 0n),
    closing: fromBaseUnits(closing[place] ?? 0n),
  }))
}

export async function readPeriod(
  db: Database,
  memberId: bigint,
  { since, before }: HandlerInput<'GET statement/period'>,
): Promise<Data<'GET statement/period'>> {
  // First: what is final then is in the balances that are read later.
  const final = await readFinalBefore(db)
  return {
    since: since.toISOString(),
    before: before.toISOString(),
    isFinal: final !== null && before <= final,
    finalBefore: final?.toISOString() ?? null,
    balances: await readBalances(db, memberId, {}, { since, before }),
  }
}
