import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@candela/server/db/embedded'
import { type Database, openDatabase } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import type { Choices } from '../../simulate/run/random.ts'
import { Server } from '../server-process.ts'

/** What is killed: the server at work or on its way up, Postgres as a whole, one of its backends, or all at once. */
export const victims = { server: 9, starting: 4, postmaster: 5, backend: 4, everything: 2 } as const
export type Victim = keyof typeof victims

/** A real server on a real Postgres that waits for its disk. Both are started again as often as they are killed. */
export class Machine implements AsyncDisposable {
  /** Starts that ended by themselves because the database was still held by the server before. */
  heldStarts = 0
  private postgres: EmbeddedPostgres
  private server: Server | null = null
  private readonly folder: string
  private readonly pick: Choices
  private env: Record<string, string> = {}
  private start_ms = 0

  private readonly kills: Record<Victim, () => Promise<number>> = {
    server: () => this.restartServer(),
    starting: async () => {
      await this.killServer()
      this.server = new Server(this.env)
      await sleep(this.start_ms * (0.2 + 0.9 * (this.pick.below(1000) / 1000)))
      return this.restartServer()
    },
    postmaster: async () => {
      await this.killPostgres()
      return this.startPostgres()
    },
    // Postgres takes the end of one for damage to all: it ends every session and repairs itself from its log.
    backend: async () => {
      await this.untilAnswers()
      return this.read(async (db) => {
        process.kill(must(await this.anyBackend(db), 'the server has connections'), 'SIGKILL')
        // What is answered until our own session has ended, too, is answered by the Postgres from before.
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

  private constructor(postgres: EmbeddedPostgres, folder: string, pick: Choices) {
    this.postgres = postgres
    this.folder = folder
    this.pick = pick
  }

  static async start(folder: string, pick: Choices): Promise<Machine> {
    return new Machine(await startEmbeddedPostgres({ folder }), folder, pick)
  }

  get url(): string {
    return this.postgres.url()
  }

  /** Connections of one use, because those of a pool do not outlive a kill. */
  async read<T>(use: (db: Database) => Promise<T>): Promise<T> {
    const db = openDatabase({ url: this.url, log: silentLog(), poolSize: 1 })
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
    this.check()
    this.start_ms = performance.now() - before_ms
  }

  /** Kills, and starts again what does not come back by itself. Returns when that began, on the clock of `performance`. */
  kill(victim: Victim): Promise<number> {
    return this.kills[victim]()
  }

  /**
   * Starts the server again where it found the database still held.
   * @throws when it has ended for any other reason
   */
  check(): void {
    const { server } = this
    if (server === null || !server.isGone) return
    if (!server.output.includes('another server is running')) throw new Error(`the server ended: ${server.output}`)
    this.heldStarts += 1
    this.server = new Server(this.env)
  }

  /** Ends the server as an operator does. Returns everything that its last life wrote. */
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

  /** The kill before may have been of a backend, too. */
  private async untilAnswers(): Promise<void> {
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
    return rows.length === 0 ? undefined : this.pick.one(rows).pid
  }
}
