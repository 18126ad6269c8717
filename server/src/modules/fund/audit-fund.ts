import { type Database, transaction, type Tx } from '../../db/open.ts'
import type { Finding } from '../../ledger/audit/checks.ts'
import { accountBalances, movedBy } from '../../ledger/balances.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { readLosses } from './add-capital.ts'
import { shareKinds, sharesAccount } from './holding.ts'
import { type Fund, readFund } from './read-fund.ts'

const CHUNK = 1_000

/** Compares what is recorded of the fund with the ledger. Reads one instant. Empty is good. */
export const auditFund = (db: Database): Promise<Finding[]> =>
  transaction(db, compareFund, { isolation: 'repeatable read' })

/** The same in a transaction that reads one instant. */
export async function compareFund(tx: Tx): Promise<Finding[]> {
  const fund = await readFund(tx)
  const lostOf = async (name: 'fundClaims' | 'fundIdle') =>
    -(await movedBy(tx, { account: platformAccount(name, 'USDT'), kinds: ['deficit-fund'] }))
  const lost = (await lostOf('fundClaims')) + (await lostOf('fundIdle'))
  return [
    ...(await compareWithPrice(tx, fund)),
    ...differing('shares that members hold', await sharesOfMembers(tx), fund.shares),
    ...differing('deficits that lowered the share price', await readLosses(tx), lost),
  ]
}

/**
 * Assets and shares change by what members move; else assets change only by a recorded change of the price: a close, or a
 * deficit. So they are those of the last recorded price, with what was moved since.
 */
async function compareWithPrice(tx: Tx, fund: Fund): Promise<Finding[]> {
  const last = await tx.selectFrom('fund_price').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
  const place = last?.place ?? 0n
  const moved = async (account: bigint) => movedBy(tx, { account, kinds: shareKinds }, place)
  const assets =
    (last?.assets_after ?? 0n) +
    (await moved(platformAccount('fundIdle', 'USDT'))) +
    (await moved(platformAccount('fundClaims', 'USDT')))
  const shares = (last?.shares ?? 0n) - (await moved(platformAccount('fundShares', 'SHARE')))
  return [
    ...differing('assets of the fund', assets, fund.assets),
    ...differing('shares of the fund', shares, fund.shares),
  ]
}

async function sharesOfMembers(tx: Tx): Promise<bigint> {
  let [sum, after]: [bigint, bigint | undefined] = [0n, 0n]
  while (after !== undefined) {
    const members = await tx
      .selectFrom('fund_member')
      .select('member_id')
      .where('member_id', '>', after)
      .orderBy('member_id')
      .limit(CHUNK)
      .execute()
    const accounts = members.map(({ member_id }) => sharesAccount(member_id))
    sum += (await accountBalances(tx, accounts)).reduce((total, balance) => total + balance, 0n)
    after = members.at(-1)?.member_id
  }
  return sum
}

const differing = (subject: string, recorded: bigint, ledger: bigint): Finding[] =>
  recorded === ledger
    ? []
    : [
        {
          rule: 'the fund agrees with the ledger',
          subject,
          details: `recorded ${recorded - ledger} more than in the ledger`,
        },
      ]
