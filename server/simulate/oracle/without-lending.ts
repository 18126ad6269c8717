import { assetCodes } from '@candela/protocol/money/assets'
import { type Database, transaction } from '@candela/server/db/open'
import { uuidFromName } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { sql } from 'kysely'
import type { Simulation } from '../run/simulation.ts'

/** The replay of the chain cannot show this: loans, the fund, and the income of days are in the ledger alone. */

const LENT = 10n ** 27n

/** By account: what members have in the replay in place of what they had of lending and income when they withdrew. */
export function lentForReplay({ memberIds }: Simulation): Map<bigint, bigint> {
  const lent = new Map<bigint, bigint>()
  for (const asset of assetCodes) {
    for (const id of memberIds.values()) lent.set(memberAccount(id, 'memberAvailable', asset), LENT)
    lent.set(platformAccount('equity', asset), -LENT * BigInt(memberIds.size))
  }
  return lent
}

export async function lendForReplay({ memberIds, clock }: Simulation, empty: Database): Promise<void> {
  const legs = [...memberIds.values()].flatMap((id) =>
    assetCodes.map((asset) => ({
      debit: platformAccount('equity', asset),
      credit: memberAccount(id, 'memberAvailable', asset),
      amount: LENT,
    })),
  )
  const posting = { id: uuidFromName('lent for the replay'), kind: 'desk-stock' as const, memo: { txHash: '' } }
  await transaction(empty, (tx) => post(tx, { ...posting, legs, occurredAt: clock.now() }))
}

const available = (id: bigint) => memberAccount(id, 'memberAvailable', 'USDT')
const custody = platformAccount('custody', 'USDT')

/** Balances as they were without lending and income: payments on chain that repaid loans are their payers' balance. */
export async function withoutLending(db: Database, balances: Map<bigint, bigint>): Promise<Map<bigint, bigint>> {
  const left = new Map(balances)
  const add = (account: bigint, amount: bigint) => left.set(account, (left.get(account) ?? 0n) + amount)
  const { rows } = await sql<{ account: bigint; amount: bigint }>`
    select e.account, sum(e.amount)::numeric as amount
    from ledger_entry e join ledger_posting p on p.seq = e.posting
    where p.kind not in ('deposit', 'unmatched', 'revenue', 'suspense', 'purchase', 'withdrawal-hold', 'withdrawal-release',
      'withdrawal-reverted', 'withdrawal')
    group by 1`.execute(db)
  for (const { account, amount } of rows) add(account, -amount)
  const repaid = await sql<{ payer: bigint | null; borrower: bigint; amount: bigint; surplus: bigint }>`
    select m.id as payer, l.member_id as borrower, e.amount,
      (select coalesce(sum(-x.amount), 0)::numeric from ledger_posting p join ledger_entry x on x.posting = p.seq
        where p.kind = 'unmatched' and p.memo->>'txHash' = e.tx_hash and x.account = ${custody}) as surplus
    from chain_event e join loan l on l.loan_no = e.reference left join member m on m.address = e.payer
    where e.outcome = 'loan'`.execute(db)
  for (const { payer, borrower, amount, surplus } of repaid.rows) {
    add(custody, surplus - amount)
    if (payer !== null) add(available(payer), amount - surplus)
    else {
      // The replay has no loan: all of a stranger's payment has no owner.
      add(platformAccount('suspense', 'USDT'), amount)
      add(available(borrower), -surplus)
    }
  }
  return left
}
