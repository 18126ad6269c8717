import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database, Tx } from '../../db/open.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { accountBalances } from '../../ledger/balances.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'
import { lockFund } from './read-fund.ts'

/** USDT base units. `own` is what is left of the operator's own money, or what there was when it was not enough. */
export type Capital =
  | { result: 'added'; reserve: bigint; own: bigint }
  | { result: 'short'; own: bigint }
  | { result: 'again' }

/** The operator's own money: put in, earned and not given away. Money of members is no part of it. */
const ownAccounts = (['equity', 'salesRevenue', 'fees', 'referralExpense'] as const).map((name) =>
  platformAccount(name, 'USDT'),
)

/**
 * Puts the operator's own money into the reserve of the fund, which pays deficits. Never more than there is: a reserve that
 * nothing stands behind would be paid out of what members have.
 * @param cause names the command, so that it is done once
 */
export async function addCapital(
  tx: Tx,
  { amount, note, cause }: { amount: bigint; note: string; cause: string },
  now: Date,
): Promise<Capital> {
  const { reserve } = await lockFund(tx)
  const own = (await accountBalances(tx, ownAccounts)).reduce((sum, balance) => sum + balance, 0n)
  if (amount > own) return { result: 'short', own }
  const outcome = await post(tx, {
    id: uuidFromName(`fund-capital:${cause}`),
    kind: 'fund-capital',
    legs: [{ debit: platformAccount('equity', 'USDT'), credit: platformAccount('reserve', 'USDT'), amount }],
    memo: { note },
    occurredAt: now,
  })
  if (outcome === 'already') return { result: 'again' }
  return { result: 'added', reserve: reserve + amount, own: own - amount }
}

/** Deficits that lowered the share price, newest first. */
export async function listDeficits(tx: Tx, limit = 100) {
  const rows = await tx
    .selectFrom('fund_price')
    .selectAll()
    .where('reason', '=', 'deficit')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    loan: row.loan_no,
    lost: fromBaseUnits(row.assets_before - row.assets_after),
    assetsAfter: fromBaseUnits(row.assets_after),
    shares: fromBaseUnits(row.shares),
    at: row.at,
  }))
}

/** Reads what members of the fund have lost by deficits, ever. USDT base units. */
export async function readLosses(db: Database): Promise<bigint> {
  const { lost } = await db
    .selectFrom('fund_price')
    .select(({ fn, eb }) => fn.sum<bigint>(eb('assets_before', '-', eb.ref('assets_after'))).as('lost'))
    .where('reason', '=', 'deficit')
    .executeTakeFirstOrThrow()
  return lost ?? 0n
}
