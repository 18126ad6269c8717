import { HOUR_MS } from '@candela/protocol/units'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { checkBalances, checkMissing, checkPostings, checkRolledUp, everything, type Finding } from './checks.ts'
import { closeGone, hasOpenFindings, keepFindings } from './findings.ts'
import { settledUpTo } from './horizon.ts'
import { nextRange, readSealed, sealRange, verifyOldest } from './seal-range.ts'

export type AuditDeps = {
  db: Database
  clock: Clock
  log: Log
  sizes?: AuditSizes
  /** More comparisons with the ledger: each step yields what does not agree with it. */
  further?: readonly ((db: Database, now: Date) => AsyncIterable<readonly Finding[]>)[]
}

export type AuditSizes = {
  /** Entries of one sealed range. Reading a range takes well under a second, far from the limit of a statement. */
  entries: number
  /** Accounts whose balances are checked by one statement. */
  accounts: number
  /** Each sealed range is read again within as many rounds. */
  verifyWithin: number
}

const usualSizes: AuditSizes = { entries: 20_000, accounts: 10_000, verifyWithin: 24 }
const INTERVAL_MS = HOUR_MS
/** Further findings of one round are not logged. */
const MAX_LINES = 20

/**
 * Audits the ledger while the service runs, in steps of one short statement each, without a lock that postings would
 * wait for. A round checks and seals what was posted since the one before, reads part of the sealed ranges again, and
 * compares all balances with the entries; then it makes the further checks that it was given. What was sealed stays
 * sealed when a round is interrupted. Postings that break a rule are not sealed: each round checks them again until they
 * are repaired or an operator accepts the finding.
 */
export async function* auditRound({
  db,
  clock,
  log,
  sizes = usualSizes,
  further = [],
}: AuditDeps): AsyncGenerator<undefined, void> {
  const { id: round } = await db
    .insertInto('ledger_audit_round')
    .values({ started_at: clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const keep = async (tx: Tx, findings: readonly Finding[]): Promise<number> => {
    const { open, added } = await keepFindings(tx, findings, round, clock.now())
    report(log, added)
    return open.length
  }
  const wasOpen = await hasOpenFindings(db)
  const settled = yield* settledUpTo(db)
  for (let isBlocked = false; !isBlocked;) {
    const range = await nextRange(db, settled, sizes.entries)
    if (range === null) break
    isBlocked = await inSnapshot(db, async (tx) => {
      if ((await keep(tx, await checkPostings(tx, range))) > 0) return true
      await sealRange(tx, range, round)
      return false
    })
    yield
  }
  const hasChanged = yield* verifySealed(db, round, sizes.verifyWithin, keep)
  for (let above: bigint | null = everything.above; above !== null;) {
    const upTo = await nextAccount(db, above, sizes.accounts)
    const findings = await checkBalances(db, { above, upTo: upTo ?? everything.upTo })
    await transaction(db, (tx) => keep(tx, findings))
    above = upTo
    yield
  }
  for (const check of further) {
    for await (const findings of check(db, clock.now())) {
      await transaction(db, (tx) => keep(tx, findings))
      yield
    }
  }
  const missing = await checkMissing(db, { sealed: true, search: hasChanged })
  const rolledUp = await checkRolledUp(db, { sealed: true })
  await transaction(db, async (tx) => {
    await keep(tx, [...missing, ...rolledUp])
    await closeGone(tx, round, clock.now())
    await tx.updateTable('ledger_audit_round').set({ finished_at: clock.now() }).where('id', '=', round).execute()
  })
  const { upTo, digest } = await readSealed(db)
  const isOpen = await hasOpenFindings(db)
  const facts = { sealed: String(upTo), digest, passed: !isOpen }
  if (wasOpen && !isOpen)
    log.warn({ event: 'ledger.audit-passed-again', ...facts }, 'every finding of the audit is gone or accepted')
  else log.info({ event: 'ledger.audited', ...facts }, 'the ledger was audited')
}

/**
 * Reads a part of the sealed ranges, first those that had changed, so that each is read again within so many rounds. Returns
 * whether one has changed.
 */
async function* verifySealed(
  db: Database,
  round: bigint,
  within: number,
  keep: (tx: Tx, findings: readonly Finding[]) => Promise<number>,
): AsyncGenerator<undefined, boolean> {
  const { count } = await db
    .selectFrom('ledger_audit_range')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  const changed: bigint[] = []
  for (let left = Math.ceil(Number(count) / within); left > 0;) {
    const verified = await inSnapshot(db, async (tx) => {
      const read = await verifyOldest(tx, round, changed)
      if (read !== null) await keep(tx, read.findings)
      return read
    })
    if (verified === null) break
    // A changed range stays the oldest. It is not counted, so that the others are read all the same.
    if (verified.findings.length > 0) changed.push(verified.range)
    else left -= 1
    yield
  }
  return changed.length > 0
}

/** The last account of the next chunk; null for the last chunk, which has no end. */
async function nextAccount(db: Database, above: bigint, size: number): Promise<bigint | null> {
  const row = await db
    .selectFrom('ledger_account')
    .select('id')
    .where('id', '>', above)
    .orderBy('id')
    .offset(size)
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

const inSnapshot = <T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(db, work, { isolation: 'repeatable read' })

function report(log: Log, added: readonly Finding[]): void {
  for (const { rule, subject, details } of added.slice(0, MAX_LINES)) {
    log.error(
      { event: 'ledger.audit-failed', rule, subject, details, findings: added.length },
      'the audit of the ledger found something; withdrawals are paused',
    )
  }
}

/** When the last whole round ended; undefined before the first. */
export async function lastAuditAt(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('ledger_audit_round')
    .select('finished_at')
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.finished_at ?? undefined
}

/** Does one step of a round that is due, each hour; returns true when there is more to do at once. */
export function ledgerAuditor(deps: AuditDeps): () => Promise<boolean> {
  let round: AsyncGenerator<undefined, void> | null = null
  return async () => {
    if (round === null) {
      const last = await lastAuditAt(deps.db)
      if (last !== undefined && deps.clock.now().getTime() - last.getTime() < INTERVAL_MS) return false
      round = auditRound(deps)
    }
    const step = round
    // A step that fails ends the round; the next round begins after what is sealed.
    round = null
    const { done } = await step.next()
    if (done === true) return false
    round = step
    return true
  }
}
