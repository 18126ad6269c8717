import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import { anyOf } from '../../db/any-of.ts'
import type { Database, Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { checkKinds, checkPostings, type Finding, type Range } from './checks.ts'

/** The last posting that is sealed, with the digest over everything up to it; 0 before the first range. */
export async function readSealed(db: Database): Promise<{ upTo: bigint; digest: string }> {
  const last = await db
    .selectFrom('ledger_audit_range')
    .select(['last_posting', 'digest'])
    .orderBy('last_posting', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { upTo: last?.last_posting ?? 0n, digest: last?.digest ?? '' }
}

const rangeRow = z.object({ last: z.bigint().nullable() })

/**
 * The next range to audit: postings with about `size` entries, and at least one posting. Null when there is nothing new.
 */
export async function nextRange(db: Database, settled: bigint, size: number): Promise<Range | null> {
  const { upTo: above } = await readSealed(db)
  // Where the entries of a further posting would make it too many, the range ends before that posting.
  const [row] = await queryRows(
    db,
    rangeRow,
    sql`
    with excess as materialized (
      select posting from ledger_entry where posting > ${above}::bigint and posting <= ${settled}::bigint
      order by posting, line offset ${size}::integer limit 1
    ),
    beyond as materialized (select coalesce((select posting from excess), ${settled}::bigint + 1) as posting)
    select coalesce(
      greatest(
        (select max(seq) from ledger_posting where seq > ${above}::bigint and seq < (select posting from beyond)),
        (select max(posting) from ledger_entry where posting > ${above}::bigint and posting < (select posting from beyond))),
      (select posting from excess)) as last`,
  )
  const last = must(row, 'an expression has a value').last
  return last === null ? null : { above, upTo: last }
}

const sizeRow = z.object({ postings: z.bigint(), entries: z.bigint(), digest: z.string() })

/** Measures the range as it is now, with the digest that continues from the one before. */
async function measure(tx: Tx, { above, upTo }: Range, digestBefore: string) {
  const [row] = await queryRows(
    tx,
    sizeRow,
    sql`
    select (select count(*) from ledger_posting where seq > ${above}::bigint and seq <= ${upTo}::bigint) as postings,
      (select count(*) from ledger_entry where posting > ${above}::bigint and posting <= ${upTo}::bigint) as entries,
      ledger_digest(${digestBefore}, ${above}::bigint, ${upTo}::bigint) as digest`,
  )
  return must(row, 'an expression has a value')
}

/** Seals a range whose postings were checked in the same snapshot. @returns how many entries it has */
export async function sealRange(tx: Tx, range: Range, round: bigint): Promise<number> {
  const { digest: before } = await readSealed(tx)
  const { digest, postings, entries } = await measure(tx, range, before)
  await tx
    .insertInto('ledger_audit_range')
    .values({ last_posting: range.upTo, postings, entries, digest, sealed_in: round, verified_in: round })
    .execute()
  await sql`
    insert into ledger_audit_sum as s (account, balance, entries)
    select account, sum(amount), count(*) from ledger_entry
    where posting > ${range.above}::bigint and posting <= ${range.upTo}::bigint and (account / 100) % 1000 >= 700
    group by account
    on conflict (account) do update set balance = s.balance + excluded.balance, entries = s.entries + excluded.entries`.execute(
    tx,
  )
  return Number(entries)
}

/**
 * Reads the sealed range again that was not read for longest, unless this round has read it already.
 * @returns null when there is none, else what has changed in it; an empty list is good
 */
export async function verifyOldest(tx: Tx, round: bigint, skipped: readonly bigint[]): Promise<Verified | null> {
  const range = await tx
    .selectFrom('ledger_audit_range')
    .select(['last_posting', 'digest'])
    .where('verified_in', '<', round)
    .where((where) => where.not(where('last_posting', '=', anyOf(skipped))))
    .orderBy('verified_in')
    .orderBy('last_posting')
    .limit(1)
    .executeTakeFirst()
  if (range === undefined) return null
  const before = await tx
    .selectFrom('ledger_audit_range')
    .select(['last_posting', 'digest'])
    .where('last_posting', '<', range.last_posting)
    .orderBy('last_posting', 'desc')
    .limit(1)
    .executeTakeFirst()
  const place: Range = { above: before?.last_posting ?? 0n, upTo: range.last_posting }
  const { digest } = await measure(tx, place, before?.digest ?? '')
  if (digest !== range.digest) {
    const changed: Finding = {
      rule: 'a sealed range is as it was audited',
      subject: `postings above ${place.above} up to ${place.upTo}`,
      details: `digest ${digest} expected ${range.digest}`,
    }
    return { range: range.last_posting, findings: [changed, ...(await checkPostings(tx, place))] }
  }
  const otherKinds = await checkKinds(tx, place)
  if (otherKinds.length > 0) return { range: range.last_posting, findings: otherKinds }
  await tx
    .updateTable('ledger_audit_range')
    .set({ verified_in: round })
    .where('last_posting', '=', range.last_posting)
    .execute()
  return { range: range.last_posting, findings: [] }
}

export type Verified = { range: bigint; findings: Finding[] }
