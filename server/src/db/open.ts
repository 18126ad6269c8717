import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryResult, types } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../kernel/log.ts'
import { describeRows } from './check-rows.ts'
import { type Fence, fenceTransactions, LEASE_LOST } from './lease/fence.ts'
import type { Tables } from './tables/index.ts'

/** Anything that can run statements: the pool or a transaction. What only reads takes this. */
export type Database = Kysely<Tables>
/** An open transaction. What writes takes this as its first parameter. */
export type Tx = Transaction<Tables>

export type DatabaseOptions = {
  url: string
  log: Log
  /** Most connections at a time. */
  poolSize?: number
  /** A statement that runs longer is cancelled. */
  statementTimeout_ms?: number
  /** Waiting for a free connection fails after this time, in milliseconds. */
  connectTimeout_ms?: number
  /** A statement without an answer for this long fails on our side too, in milliseconds; without it, never. */
  answerLimit_ms?: number
  /** A statement that waits for a lock for longer fails, see `isLockTimeout`; without it, it waits on. In milliseconds. */
  lockTimeout_ms?: number
  /** Has Postgres keep repeated statements: the default. Not through a proxy that gives a session another connection for each transaction. */
  isPrepared?: boolean
  /** Nothing is written when another server has taken this lease. */
  fence?: Fence
  /** Has rows of statements written by hand compared with their schemas: for tests. */
  checkRows?: boolean
}

/**
 * Opens a pool. `numeric` and `int8` arrive as bigint (a fraction is an error), `timestamptz` as Date, `jsonb` parsed.
 * End it with `destroy()`. Nothing is connected until the first statement.
 */
export function openDatabase(options: DatabaseOptions): Database {
  return databaseOn(openTypedPool(options))
}

/** Connections of a pool, or of some of it. */
export type Connections = { connect(): Promise<PoolClient>; end(): Promise<void>; options: object }

export const databaseOn = (pool: Connections): Database =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

export function openTypedPool(options: DatabaseOptions): ConnectionPool {
  const pool = openPool(
    options.log,
    {
      connectionString: options.url,
      max: options.poolSize ?? 10,
      statement_timeout: options.statementTimeout_ms ?? 30_000,
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: options.connectTimeout_ms ?? 10_000,
      ...(options.answerLimit_ms === undefined ? {} : { query_timeout: options.answerLimit_ms }),
      types: { getTypeParser: parserFor },
    },
    options.lockTimeout_ms === undefined ? {} : { lock_timeout: options.lockTimeout_ms },
  )
  if (options.isPrepared !== false) {
    const nameOf = statementNames()
    pool.on('connect', (client) => prepareRepeated(client, nameOf))
  }
  if (options.checkRows === true) pool.on('connect', describeAnswers)
  const { fence } = options
  // Attached last: it adds statements of its own to each transaction, and these go through the two above.
  if (fence !== undefined) pool.on('connect', (client) => fenceTransactions(client, fence))
  return pool
}

/** Connections for statements that are not ours. */
export type ConnectionPool = Pool

/** A pool that outlives the loss of its connections. For a library that brings its own statements. */
export function openPool(
  log: Log,
  config: PoolConfig,
  settings: Readonly<Record<string, number>> = {},
): ConnectionPool {
  // Compiling a short statement costs more than it does. By statements, because PgBouncer refuses a connection that asks for it.
  const statements = Object.entries({ jit: 'off', ...settings }).map(([name, value]) => `set ${name} = ${value}`)
  const pool = new Pool({
    application_name: 'candela',
    ...config,
    // The pool waits for it before anybody has the connection.
    onConnect: (client) => client.query(statements.join(';')) as never,
  })
  // An idle connection that Postgres closes is replaced at the next use. Without a listener the event would end the
  // process.
  pool.on('error', (error) => {
    log.warn({ event: 'database.connection-lost', reason: error.message }, 'an idle database connection was lost')
  })
  // A connection in use fails its statement, which tells the caller; the pool listens to it only while it is idle. One
  // that is being closed has no other listener.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  return pool
}

/**
 * Has Postgres keep what it parsed of a statement that comes again, under a name of its own on each connection: parsing
 * is most of what a short statement costs. Statements that come once are not kept, and the number of names is limited.
 */
function prepareRepeated(client: PoolClient, nameOf: (text: string) => string | undefined): void {
  const query = client.query.bind(client) as (...parts: unknown[]) => unknown
  const prepared = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest)
  }
  client.query = prepared as PoolClient['query']
}

/** Has each answer carry what Postgres says of its columns. */
function describeAnswers(client: PoolClient): void {
  const query = client.query.bind(client) as (...parts: unknown[]) => unknown
  const described = async (...parts: unknown[]): Promise<unknown> => {
    const result = (await query(...parts)) as Partial<QueryResult<object>> | undefined
    if (Array.isArray(result?.rows) && result.fields !== undefined) describeRows(result.rows, result.fields)
    return result
  }
  client.query = described as PoolClient['query']
}

const MAX_STATEMENTS = 400

function statementNames(): (text: string) => string | undefined {
  const uses = new Map<string, string | null>()
  let named = 0
  return (text) => {
    const known = uses.get(text)
    if (known !== null && known !== undefined) return known
    if (known === undefined) {
      // Statements whose text differs each time would fill the table; then no more texts are noted.
      if (uses.size < 4 * MAX_STATEMENTS) uses.set(text, null)
      return undefined
    }
    if (named >= MAX_STATEMENTS) return undefined
    named += 1
    const name = `candela_${named}`
    uses.set(text, name)
    return name
  }
}

/**
 * Runs `fn` in one transaction (read committed unless told otherwise). When Postgres asks for a repetition
 * (serialization failure, deadlock) the whole `fn` runs again, so it must not act outside of the database.
 */
export function transaction<T>(
  db: Database,
  fn: (tx: Tx) => Promise<T>,
  options: { isolation?: 'read committed' | 'repeatable read' | 'serializable'; attempts?: number } = {},
): Promise<T> {
  const run = () =>
    db
      .transaction()
      .setIsolationLevel(options.isolation ?? 'read committed')
      .execute(fn)
  return retryTransaction(run, options.attempts)
}

/**
 * Has Postgres keep this transaction open however long it waits between two statements, for as long as it lasts: for one that reads while
 * threads or this one work on what was read. On a busy machine that can be minutes.
 */
export async function letWait(tx: Tx): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
}

/**
 * Runs one transaction (or one statement, which is one) and retries it after a serialization failure or a deadlock.
 * @throws the last error after `attempts`
 */
export async function retryTransaction<T>(run: () => Promise<T>, attempts = 12): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= attempts || !wantsRepetition(error)) throw error
      // Growing and random pauses, so that two that collided do not collide again.
      await sleep(Math.random() * 2 ** Math.min(attempt, 8))
    }
  }
}

/** The five characters of a failed statement (for example '23505'), undefined when the failure is not the database's. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}

/** Whether a statement has waited too long for what another transaction has locked. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03'

/** Whether a statement of a fenced connection was refused because another server has taken the lease. */
export const isLeaseLost = (error: unknown): boolean => sqlState(error) === LEASE_LOST

/** Tells whether a row is missing that another refers to, or is still referred to. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '23503'

function wantsRepetition(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

type TextParser = (text: string) => unknown

const { builtins } = types
const toBigint = (text: string): bigint => BigInt(text)
const ownParsers = new Map<number, TextParser>([
  [builtins.INT8, toBigint],
  [builtins.NUMERIC, toBigint],
  [1016, bigintArray],
  [1231, bigintArray],
  // A calendar date stays text ('2026-01-31'): as a Date it would shift with the machine's time zone.
  [builtins.DATE, (text) => text],
])

function parserFor(oid: Parameters<typeof types.getTypeParser>[0], format?: 'text' | 'binary'): TextParser {
  if (format !== 'binary') {
    const own = ownParsers.get(oid)
    if (own) return own
  }
  return types.getTypeParser(oid, format) as TextParser
}

function bigintArray(text: string): (bigint | null)[] {
  const inner = text.slice(1, -1)
  if (inner === '') return []
  return inner.split(',').map((item) => (item === 'NULL' ? null : BigInt(item)))
}
