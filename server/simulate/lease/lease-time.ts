import { sql } from 'kysely'
import { z } from 'zod'
import { must } from '@candela/server/kernel/assert'
import type { Database } from '@candela/server/db/open'
import { queryRows } from '@candela/server/db/query-rows'

/**
 * Adds to a migrated database a clock that stands still, which connections see that look for functions there first, and a
 * digest of all rows. The statements of the lease are those of production.
 */
export async function addLeaseClock(db: Database): Promise<void> {
  for (const statement of [
    sql`create schema simulated`,
    sql`create table simulated.clock (at timestamptz not null)`,
    sql`insert into simulated.clock values ('2026-01-01')`,
    sql`
    create function simulated.clock_timestamp() returns timestamptz language sql volatile as
    $$ select at from simulated.clock $$`,
    // The lease itself changes while nothing is done under it.
    sql`
    create function simulated.digest() returns text language plpgsql as $$
    declare
      v_name text;
      v_rows text;
      v_all text := '';
    begin
      for v_name in select format('%I', tablename) from pg_tables where schemaname = 'public' and tablename <> 'lease' order by 1 loop
        execute 'select md5(coalesce(string_agg(t::text, E''\n'' order by t::text), '''')) from ' || v_name || ' t' into v_rows;
        v_all := v_all || v_name || ' ' || v_rows || E'\n';
      end loop;
      return v_all;
    end $$`,
  ]) {
    await statement.execute(db)
  }
}

/** The same database, on connections whose `clock_timestamp()` is the simulated one. */
export function withLeaseClock(url: string): string {
  const timed = new URL(url)
  timed.searchParams.set('options', '-csearch_path=simulated,pg_catalog,public')
  return timed.href
}

/** Each table with a digest of its rows, but for the lease's. */
export async function digestOf(db: Database): Promise<readonly string[]> {
  const [row] = await queryRows(db, z.object({ digest: z.string() }), sql`select simulated.digest() as digest`)
  return must(row, 'a digest').digest.split('\n')
}

/** Somebody who waits for a time; while it is paused its time does not end. */
export type Sleeper = { isPaused: boolean }
type Waiting = { at_ms: number; sleeper: Sleeper; wake: () => void }

/** Time by which leases expire and are prolonged. It moves only in `pass`, from one waiting process to the next. */
export class LeaseTime {
  private readonly db: Database
  private readonly settle: () => Promise<void>
  private now_ms = 0
  private waiting: Waiting[] = []

  /** @param settle resolves when every process waits again */
  constructor(db: Database, settle: () => Promise<void>) {
    this.db = db
    this.settle = settle
  }

  /** For `lead`. */
  sleepOf(sleeper: Sleeper): (duration_ms: number, until: AbortSignal) => Promise<void> {
    return (duration_ms, until) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error('the pause was ended'))
        if (until.aborted) return fail()
        const own: Waiting = { at_ms: this.now_ms + duration_ms, sleeper, wake: resolve }
        this.waiting.push(own)
        until.addEventListener('abort', () => {
          this.waiting = this.waiting.filter((one) => one !== own)
          fail()
        })
      })
  }

  /** A dead process has nothing that wakes any more. */
  forget(sleeper: Sleeper): void {
    this.waiting = this.waiting.filter((one) => one.sleeper !== sleeper)
  }

  /** Lets time pass, and everybody act at the time for which they have waited, one after the other. */
  async pass(duration_ms: number): Promise<void> {
    const end_ms = this.now_ms + duration_ms
    for (;;) {
      const due = this.waiting
        .filter(({ at_ms, sleeper }) => at_ms <= end_ms && !sleeper.isPaused)
        .toSorted((a, b) => a.at_ms - b.at_ms)
      const [next] = due
      if (next === undefined) break
      await this.set(Math.max(this.now_ms, next.at_ms))
      this.waiting = this.waiting.filter((one) => one !== next)
      next.wake()
      await this.settle()
    }
    await this.set(end_ms)
  }

  private async set(now_ms: number): Promise<void> {
    this.now_ms = now_ms
    const seconds = now_ms / 1_000
    await sql`update simulated.clock set at = '2026-01-01'::timestamptz + make_interval(secs => ${seconds}::double precision)`.execute(
      this.db,
    )
  }
}
