import { sql } from 'kysely'
import { queryRows } from '../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../db/open.ts'

/** A rule that does not hold, where, and the figures that disagree. */
const finding = z.object({ rule: z.string(), subject: z.string(), details: z.string() })
export type Finding = z.output<typeof finding>

/**
 * Recomputes the whole ledger from its entries and compares: every asset and every posting sums to zero, running
 * balances and versions follow from the entries before them, no floor is broken, and each balance row is the sum of its
 * account's entries. Reads one instant. Returns what does not hold, at most 100 findings per rule; empty is good.
 */
export async function auditLedger(db: Database): Promise<Finding[]> {
  const rows = await queryRows(
    db,
    finding,
    sql`
    with running as (
      select posting, line, account, amount, balance, version, (account / 100) % 1000 as chart,
        sum(amount) over seen as expected_balance, row_number() over seen as expected_version
      from ledger_entry
      window seen as (partition by account order by posting, line)
    ),
    sums as (
      select account, sum(amount) as balance, count(*) as entries from ledger_entry group by account
    )
    (select 'every asset sums to zero' as rule, 'asset ' || account % 100 as subject, 'sum ' || sum(amount) as details
      from ledger_entry group by account % 100 having sum(amount) <> 0 limit 100)
    union all
    (select 'every posting sums to zero per asset', 'posting ' || posting || ' asset ' || account % 100,
        'sum ' || sum(amount)
      from ledger_entry group by posting, account % 100 having sum(amount) <> 0 limit 100)
    union all
    (select 'entries and postings belong together', 'posting ' || coalesce(p.seq, e.posting),
        case when p.seq is null then 'entries without a posting' else 'a posting without entries' end
      from ledger_posting p full join (select distinct posting from ledger_entry) e on e.posting = p.seq
      where p.seq is null or e.posting is null limit 100)
    union all
    (select 'running balance and version follow from the entries', 'account ' || account,
        concat_ws(' ', 'posting', posting, 'line', line, 'balance', balance, 'expected', expected_balance,
          'version', version, 'expected', expected_version)
      from running
      where chart < 700 and (balance, version) is distinct from (expected_balance, expected_version) limit 100)
    union all
    (select 'rolled-up entries carry no running balance', 'account ' || account, 'posting ' || posting
      from running where chart >= 700 and (balance is not null or version is not null) limit 100)
    union all
    (select 'no floored account was ever below zero', 'account ' || account,
        'posting ' || posting || ' balance ' || expected_balance
      from running where chart < 500 and expected_balance < 0 limit 100)
    union all
    (select 'each balance is the sum of its entries', 'account ' || coalesce(b.account, s.account),
        concat_ws(' ', 'balance', b.balance, 'sum', s.balance, 'version', b.entries, 'entries', s.entries)
      from ledger_balance b full join sums s on s.account = b.account
      where coalesce(b.balance, 0) <> coalesce(s.balance, 0) or coalesce(b.entries, 0) <> coalesce(s.entries, 0)
      limit 100)
    union all
    (select 'only rolled-up accounts wait to be folded', 'account ' || account, 'amount ' || amount
      from ledger_delta where (account / 100) % 1000 < 700 limit 100)`,
  )
  return rows
}
