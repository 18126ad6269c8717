import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { type Database, openDatabase } from '@candela/server/db/open'
import { patientPool } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import type { Random } from '../../simulate/run/random.ts'
import { Server } from '@candela/testing/server/server-process'

/** The targets of a kill, with weights: the running server, a server that starts, Postgres, one of its backends, or everything. */
export const killTargets = { server: 9, starting: 4, postmaster: 5, backend: 4, everything: 2 } as const
export type KillTarget = keyof typeof killTargets

/** A server process on a durable Postgres. Both are restarted after each kill. */
export class RestartableService implements AsyncDisposable {
  private postgres: EmbeddedPostgres
  private server: Server | null = null
  private readonly folder: string
  private readonly random: Random
  private env: Record<string, string> = {}
  private start_ms = 0

  private readonly kills: Record<KillTarget, () => Promise<number>> = {
    server: () => this.restartServer(),
    starting: async () => {
      await this.killServer()
      this.server = new Server(this.env)
      await sleep(this.start_ms * (0.2 + 0.9 * (this.random.below(1000) / 1000)))
      return this.restartServer()
    },
    postmaster: async () => {
      await this.killPostgres()
      return this.startPostgres()
    },
    // After the crash of a backend Postgres closes every session and recovers from its write-ahead log.
    backend: async () => {
      await this.untilPostgresAnswers()
      return this.read(async (db) => {
        process.kill(must(await this.anyBackend(db), 'the server has connections'), 'SIGKILL')
        // Recovery begins when this session is closed, too; responses until then come from before the crash.
        for (;;) {
          const since_ms = performance.now()
          const isAlive = await sql`select 1`.execute(db).then(
            () => true,
            () => false,
          )
          if (!isAlive) return since_ms
        }
      })
    },
    everything: async () => {
      await Promise.all([this.killServer(), this.killPostgres()])
      const since_ms = await this.startPostgres()
      this.server = new Server(this.env)
      return since_ms
    },
  }

  private constructor(postgres: EmbeddedPostgres, folder: string, random: Random) {
    this.postgres = postgres
    this.folder = folder
    this.random = random
  }

  static async start(folder: string, random: Random): Promise<RestartableService> {
    return new RestartableService(await startEmbeddedPostgres({ folder }), folder, random)
  }

  get url(): string {
    return this.postgres.url()
  }

  /** Opens a connection for one use, because pooled connections are closed by a kill. */
  async read<T>(use: (db: Database) => Promise<T>): Promise<T> {
    const db = openDatabase({ url: this.url, log: silentLog(), poolSize: 1, ...patientPool })
    try {
      return await use(db)
    } finally {
      await db.destroy()
    }
  }

  /** Starts the server for the first time. */
  async serve(env: Record<string, string>): Promise<void> {
    this.env = env
    const before_ms = performance.now()
    this.server = new Server(env)
    await this.server.listening
    this.expectToRun()
    this.start_ms = performance.now() - before_ms
  }

  /** Kills the target and restarts what does not restart by itself. Returns when the restart began, in ms of `performance.now()`. */
  kill(target: KillTarget): Promise<number> {
    return this.kills[target]()
  }

  /** @throws when the server has ended by itself */
  expectToRun(): void {
    const { server } = this
    if (server?.isGone === true) throw new Error(`the server ended: ${server.output}`)
  }

  /** Stops the server with SIGTERM. Returns everything that its last process has written. */
  async stopServer(): Promise<string> {
    const server = must(this.server, 'the server runs')
    await server.end('SIGTERM')
    return server.output
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killServer()
    await this.postgres.stop()
  }

  private async killServer(): Promise<void> {
    if (this.server?.isGone === false) await this.server.end('SIGKILL')
  }

  private async restartServer(): Promise<number> {
    await this.killServer()
    const since_ms = performance.now()
    this.server = new Server(this.env)
    return since_ms
  }

  private async killPostgres(): Promise<void> {
    process.kill(this.postgres.pid, 'SIGKILL')
    await this.postgres.exited
  }

  private async startPostgres(): Promise<number> {
    const since_ms = performance.now()
    this.postgres = await startEmbeddedPostgres({ folder: this.folder, port: this.postgres.port })
    return since_ms
  }

  /** Postgres may still be recovering from an earlier kill of a backend. */
  private async untilPostgresAnswers(): Promise<void> {
    const answers = () =>
      this.read((db) => sql`select 1`.execute(db)).then(
        () => true,
        () => false,
      )
    while (!(await answers())) await sleep(20)
  }

  private async anyBackend(db: Database): Promise<number | undefined> {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`.execute(db)
    return rows.length === 0 ? undefined : this.random.pick(rows).pid
  }
}
