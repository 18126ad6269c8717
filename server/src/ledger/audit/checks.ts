import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Database } from '../../db/open.ts'

/** A rule that does not hold, where, and the figures that disagree. */
const finding = z.object({ rule: z.string(), subject: z.string(), details: z.string() })
export type Finding = z.output<typeof finding>

/** Everything above `above`, up to and with `upTo`. */
export type Range = { above: bigint; upTo: bigint }

/** All numbers of postings and accounts that there can be. */
export const everything: Range = { above: 0n, upTo: 2n ** 63n - 1n }

/**
 * Checks the postings of a range and their entries: every posting sums to zero per asset, no floored account was below
 * zero, running balances and versions follow from each account's last entry before the range, and entries have the kind
 * of their posting. At most 100 findings
 * per rule.
 */
export async function checkPostings(db: Database, range: Range): Promise<Finding[]> {
  const { above, upTo } = range
  const found = await queryRows(
    db,
    finding,
    sql`
    with entry as materialized (
      select posting, line, account, amount, balance, version, (account / 100) % 1000 as chart
      from ledger_entry where posting > ${above}::bigint and posting <= ${upTo}::bigint
    ),
    before as materialized (
      select moved.account, coalesce(last.balance, 0) as balance, coalesce(last.version, 0) as version
      from (select distinct account from entry where chart < 700) moved
      left join ledger_last_entries(
        array(select distinct account from entry where chart < 700), ${above}::bigint) last on last.account = moved.account
    ),
    running as materialized (
      select entry.*, before.balance + sum(entry.amount) over seen as expected_balance,
        before.version + row_number() over seen as expected_version
      from entry join before on before.account = entry.account
      window seen as (partition by entry.account order by entry.posting, entry.line)
    )
    (select 'every posting sums to zero per asset' as rule, 'posting ' || posting || ' asset ' || account % 100 as subject,
        'sum ' || sum(amount) as details
      from entry group by posting, account % 100 having sum(amount) <> 0 order by posting limit 100)
    union all
    (select 'entries and postings belong together', 'posting ' || coalesce(p.seq, e.posting),
        case when p.seq is null then 'entries without a posting' else 'a posting without entries' end
      from (select seq from ledger_posting where seq > ${above}::bigint and seq <= ${upTo}::bigint) p
      full join (select distinct posting from entry) e on e.posting = p.seq
      where p.seq is null or e.posting is null order by coalesce(p.seq, e.posting) limit 100)
    union all
    (select 'running balance and version follow from the entries', 'account ' || account,
        concat_ws(' ', 'posting', posting, 'line', line, 'balance', balance, 'expected', expected_balance,
          'version', version, 'expected', expected_version)
      from running
      where (balance, version) is distinct from (expected_balance, expected_version) order by posting, line limit 100)
    union all
    (select 'rolled-up entries carry no running balance', 'account ' || account, 'posting ' || posting
      from entry where chart >= 700 and (balance is not null or version is not null) order by posting, line limit 100)
    union all
    (select 'no floored account was ever below zero', 'account ' || account,
        'posting ' || posting || ' balance ' || expected_balance
      from running where chart < 500 and expected_balance < 0 order by posting, line limit 100)`,
  )
  return [...found, ...(await checkKinds(db, range))]
}

/**
 * Checks that entries have the kind of their posting: a statement of a kind finds its entries by it. The digest of a sealed
 * range has the posting's kind only. At most 100 findings.
 */
export function checkKinds(db: Database, { above, upTo }: Range): Promise<Finding[]> {
  return queryRows(
    db,
    finding,
    sql`
    select 'each entry has the kind of its posting' as rule, 'posting ' || e.posting as subject,
      concat_ws(' ', 'line', e.line, 'kind', e.kind, 'expected', ledger_kind_code(p.kind), p.kind) as details
    from ledger_entry e join ledger_posting p on p.seq = e.posting
    where e.posting > ${above}::bigint and e.posting <= ${upTo}::bigint and e.kind <> ledger_kind_code(p.kind)
    order by e.posting, e.line limit 100`,
  )
}

/**
 * Checks the balance rows of a range of accounts against each account's last entry. One statement, so that what is posted
 * meanwhile is either in both or in none. At most 100 findings. Accounts without a row: see `checkMissing`.
 */
export function checkBalances(db: Database, { above, upTo }: Range): Promise<Finding[]> {
  return queryRows(
    db,
    finding,
    sql`
    with kept as materialized (
      select id as account, balance, version from ledger_account
      where id > ${above}::bigint and id <= ${upTo}::bigint and (id / 100) % 1000 < 700
    )
    select 'each balance is that of the last entry' as rule, 'account ' || k.account as subject,
      concat_ws(' ', 'balance', k.balance, 'version', k.version, 'entry balance', e.balance, 'version', e.version) as details
    from kept k left join ledger_last_entries(array(select account from kept), ${everything.upTo}::bigint) e on e.account = k.account
    where (k.balance, k.version) is distinct from (coalesce(e.balance, 0), coalesce(e.version, 0))
    order by k.account limit 100`,
  )
}

const countRow = z.object({ kept: z.bigint(), entered: z.bigint() })

/**
 * Checks that every account with an entry has a balance row. The versions of all rows count their entries, which is
 * compared first: only when that differs, or with `search`, the entries are searched for the accounts, which reads far more. `sealed`:
 * takes the counts of the sealed ranges for granted. At most 100 findings.
 */
export async function checkMissing(
  db: Database,
  { sealed, search }: { sealed: boolean; search: boolean },
): Promise<Finding[]> {
  const [count] = await queryRows(
    db,
    countRow,
    sql`
    select (select coalesce(sum(version), 0)::bigint from ledger_account where (id / 100) % 1000 < 700) as kept,
      (select count(*) from ledger_entry where (account / 100) % 1000 < 700 and posting >
        case when ${sealed}::boolean then coalesce((select max(last_posting) from ledger_audit_range), 0) else 0 end)
      + case when ${sealed}::boolean then (select coalesce(sum(entries), 0)::bigint from ledger_audit_range)
          - (select coalesce(sum(entries), 0)::bigint from ledger_audit_sum) else 0 end as entered`,
  )
  if (!search && count?.kept === count?.entered) return []
  return queryRows(
    db,
    finding,
    sql`
    -- From one account to the next in the indexes, so that a long history of an account costs nothing.
    with recursive walk as (
      (select account from ledger_entry order by account limit 1)
      union all
      select (select e.account from ledger_entry e where e.account > walk.account order by e.account limit 1)
      from walk where walk.account is not null
    ),
    missing as materialized (
      select account from walk
      where (account / 100) % 1000 < 700 and not exists (select from ledger_account a where a.id = walk.account)
      order by account limit 100
    )
    select 'each balance is that of the last entry' as rule, 'account ' || account as subject,
      concat_ws(' ', 'balance', 'version', 'entry balance', balance, 'version', version) as details
    from ledger_last_entries(array(select account from missing), ${everything.upTo}::bigint) order by account`,
  )
}

/**
 * Checks that what the rolled-up accounts have is the sum of their entries. `sealed`: takes the sums of the sealed ranges
 * for granted and reads only the entries after them. One statement, like `checkBalances`.
 */
export function checkRolledUp(db: Database, { sealed }: { sealed: boolean }): Promise<Finding[]> {
  return queryRows(
    db,
    finding,
    sql`
    with part as (
      select account, balance, entries from ledger_audit_sum where ${sealed}::boolean
      union all
      select account, amount, 1 from ledger_entry
      where (account / 100) % 1000 >= 700 and posting >
        case when ${sealed}::boolean then coalesce((select max(last_posting) from ledger_audit_range), 0) else 0 end
    ),
    entered as (
      select account, sum(balance) as balance, sum(entries) as entries from part group by account
    ),
    kept as (
      select account, balance, entries from ledger_balance where (account / 100) % 1000 >= 700
    )
    (select 'each balance is the sum of its entries' as rule, 'account ' || coalesce(k.account, e.account) as subject,
        concat_ws(' ', 'balance', k.balance, 'sum', e.balance, 'version', k.entries, 'entries', e.entries) as details
      from kept k full join entered e on e.account = k.account
      where coalesce(k.balance, 0) <> coalesce(e.balance, 0) or coalesce(k.entries, 0) <> coalesce(e.entries, 0)
      order by coalesce(k.account, e.account) limit 100)
    union all
    (select 'only rolled-up accounts wait to be folded', 'account ' || account, 'amount ' || amount
      from ledger_delta where (account / 100) % 1000 < 700 order by account limit 100)`,
  )
}
