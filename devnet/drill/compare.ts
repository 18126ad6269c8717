/** Compares what two databases have of the ledger and of the chain. */
import { fromBaseUnits } from '@candela/protocol/money/money'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { sql } from 'kysely'

/** A posting with what it moved. */
export interface Written {
  id: string
  kind: string
  occurredAt: string
  memo: string
  /** "account amount", sorted: what each account gained, in whole units. */
  entries: string
}

/** Everything that is posted, by its id. */
export async function readPostings(url: string): Promise<Map<string, Written>> {
  const db = openDatabase({ url, log: silentLog(), poolSize: 1 })
  try {
    const { rows } = await sql<Omit<Written, 'entries'> & { accounts: bigint[]; amounts: bigint[] }>`
      select p.id, p.kind, to_char(p.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "occurredAt",
        p.memo::text as memo, array_agg(e.account order by e.account, e.line) as accounts,
        array_agg(e.amount order by e.account, e.line) as amounts
      from ledger_posting p join ledger_entry e on e.posting = p.seq group by p.seq, p.id, p.kind, p.occurred_at, p.memo
      order by p.seq`.execute(db)
    return new Map(
      rows.map(({ accounts, amounts, ...row }) => {
        const entries = accounts.map((account, at) => `${account} ${fromBaseUnits(amounts[at] ?? 0n)}`).join(', ')
        return [row.id, { ...row, entries }]
      }),
    )
  } finally {
    await db.destroy()
  }
}

/** Lists what the audit of the ledger finds wrong. */
export async function findWrong(url: string): Promise<string[]> {
  const db = openDatabase({ url, log: silentLog(), poolSize: 1 })
  try {
    return (await auditLedger(db)).map((finding) => JSON.stringify(finding))
  } finally {
    await db.destroy()
  }
}

/** Compares `other` with `whole`: what it has as well, exactly so; what it has otherwise; and what it lacks. */
export function compare(whole: ReadonlyMap<string, Written>, other: ReadonlyMap<string, Written>) {
  const same: Written[] = []
  const different: Written[] = []
  const lacking: Written[] = []
  for (const written of whole.values()) {
    const found = other.get(written.id)
    if (found === undefined) lacking.push(written)
    else if (JSON.stringify(found) === JSON.stringify(written)) same.push(written)
    else different.push(written)
  }
  return { same, different, lacking }
}
