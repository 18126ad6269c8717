import { execFile } from 'node:child_process'
import { appendFile, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase } from '@candela/server/db/open'
import { patientPool } from '@candela/testing/postgres/test-database'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'

export type Replicated = AsyncDisposable & {
  /** The URL of the primary, with the whole schema. */
  url: string
  standbyUrl: string
  /** Opened for as long as the two run. */
  primary: Database
  /** Opened anew for each use. */
  onStandby<T>(use: (db: Database) => Promise<T>): Promise<T>
  /** From now on it takes what the primary sends, and shows nothing of it. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Shows each commit so much later, in milliseconds, than it was made; 0 for at once. */
  delayBy(delay_ms: number): Promise<void>
  kill(): Promise<void>
  restart(): Promise<void>
}

/** A durable primary and a standby that streams from it: the standby begins as a copy of the stopped primary. */
export async function startReplicated(): Promise<Replicated> {
  const folder = await mkdtemp(join(tmpdir(), 'candela-replicated-'))
  const [primaryFolder, standbyFolder] = [join(folder, 'primary'), join(folder, 'standby')]
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next()
  }
  try {
    await mkdir(primaryFolder)
    const first = await startEmbeddedPostgres({ folder: primaryFolder })
    await first.stop()
    await promisify(execFile)('cp', ['-a', primaryFolder, standbyFolder])
    await makeStandby(join(standbyFolder, 'data'), new URL(first.url()))
    const running = await startEmbeddedPostgres({ folder: primaryFolder, port: first.port })
    stops.push(() => running.stop())
    const primary = openDatabase({ url: running.url(), log: silentLog(), poolSize: 8, ...patientPool })
    stops.push(() => primary.destroy())
    await migrate(primary)
    let standby: EmbeddedPostgres = await startEmbeddedPostgres({ folder: standbyFolder })
    stops.push(() => standby.stop())
    const standbyUrl = standby.url()
    const onStandby = async <T>(use: (db: Database) => Promise<T>): Promise<T> => {
      const db = openDatabase({ url: standbyUrl, log: silentLog(), poolSize: 1, ...patientPool })
      try {
        return await use(db)
      } finally {
        await db.destroy()
      }
    }
    const run = (statement: ReturnType<typeof sql>) => onStandby((db) => statement.execute(db))
    /** Asks in a new session each time, and goes on when the answer is the one wanted. */
    const untilAnswers = async (question: ReturnType<typeof sql>, wanted: string): Promise<void> => {
      const { rows } = await run(question)
      if ((rows[0] as { answer: string }).answer !== wanted) await untilAnswers(question, wanted)
    }
    return {
      url: running.url(),
      standbyUrl,
      primary,
      onStandby,
      async pause() {
        await run(sql`select pg_wal_replay_pause()`)
        await untilAnswers(sql`select pg_get_wal_replay_pause_state() as answer`, 'paused')
      },
      async resume() {
        await run(sql`select pg_wal_replay_resume()`)
      },
      async delayBy(delay_ms) {
        await run(sql`alter system set recovery_min_apply_delay = ${sql.lit(delay_ms)}`)
        await run(sql`select pg_reload_conf()`)
        // The postmaster tells the replaying process before it starts a session with the new setting.
        const delay = sql`select setting as answer from pg_settings where name = 'recovery_min_apply_delay'`
        await untilAnswers(delay, String(delay_ms))
      },
      async kill() {
        process.kill(standby.pid, 'SIGKILL')
        await standby.exited
      },
      async restart() {
        standby = await startEmbeddedPostgres({ folder: standbyFolder, port: standby.port })
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeStandby(data: string, { hostname, port, username, password }: URL): Promise<void> {
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  const signal = join(data, 'standby.signal')
  await writeFile(signal, '')
  const { uid, gid } = await stat(data)
  await chown(signal, uid, gid)
}
