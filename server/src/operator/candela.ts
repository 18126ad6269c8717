import { openDatabase, type Database } from '../db/open.ts'
import { OperatorError, reasonOf } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { runCommand } from './run-command.ts'
import { checkNode } from '../chain/node/check-node.ts'
import { nameOf } from '../chain/nodes/addresses.ts'
import { findChain, findDepth, findNodes } from './find-chain.ts'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { loadOperatorKey, type OperatorKey } from './signing/operator-key.ts'
import { sql } from 'kysely'
import { movedClock, systemClock } from '../kernel/clock.ts'

/**
 * The time of an operator's act: that of the database, whatever the clock of the operator's machine says. In the database of a
 * development chain it is moved as `npm start` moves it there, by `CLOCK_OFFSET_FILE` or a file under `DATA_DIR`.
 * @throws OperatorError when it would be moved in production
 */
function findTime(env: Readonly<Record<string, string | undefined>>): (db: Database) => Promise<Date> {
  const file = env['CLOCK_OFFSET_FILE']
  if (env['NODE_ENV'] === 'production' && file) {
    throw new OperatorError('CLOCK_OFFSET_FILE is set: in production nothing may move the clock')
  }
  return async (db) => {
    const { at, moves } = await readDatabaseTime(db)
    if (!moves) return at
    const moved = movedClock(file ? resolve(file) : join(resolve(env['DATA_DIR'] || '.data'), 'clock-offset'))
    return new Date(at.getTime() + moved.now().getTime() - systemClock.now().getTime())
  }
}

async function readDatabaseTime(db: Database): Promise<{ at: Date; moves: boolean }> {
  const row = await db
    .selectFrom('installation')
    .select([sql<Date>`clock_timestamp()`.as('at'), 'clock_moves'])
    .executeTakeFirstOrThrow()
  return { at: row.at, moves: row.clock_moves }
}

/**
 * The operator's own key: `CANDELA_KEY_FILE`, or that of the first operator of `npm start` under `DATA_DIR`.
 * @throws OperatorError when there is neither, or the file is no key or not private
 */
async function findOperatorKey(env: Readonly<Record<string, string | undefined>>): Promise<OperatorKey> {
  if (env['CANDELA_KEY_FILE']) return loadOperatorKey(resolve(env['CANDELA_KEY_FILE']))
  const own = join(resolve(env['DATA_DIR'] || '.data'), 'operators', 'first.key')
  if (existsSync(own)) return loadOperatorKey(own)
  throw new OperatorError('sign with your key: --key-file <path>, or CANDELA_KEY_FILE')
}

/**
 * The database that the service uses: `DATABASE_URL`, or the embedded Postgres under `DATA_DIR` that `npm start` runs.
 * @throws OperatorError when there is neither
 */
async function findDatabaseUrl(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  if (env['DATABASE_URL']) return env['DATABASE_URL']
  const folder = resolve(env['DATA_DIR'] || '.data', 'postgres')
  const [password, lines] = await Promise.all([
    readFile(join(folder, 'password'), 'utf8').catch(() => undefined),
    // Postgres itself writes its port on the fourth line, and takes the file away when it stops.
    readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').then(
      (text) => text.split('\n'),
      () => undefined,
    ),
  ])
  if (password === undefined || lines?.[3] === undefined) {
    throw new OperatorError(`DATABASE_URL is not set, and no Postgres of npm start runs in ${folder}`)
  }
  return `postgres://candela:${password.trim()}@127.0.0.1:${lines[3].trim()}/postgres`
}

/** The operator's command line: `npm run candela -- --help`. Exits with 1 when nothing was done. */
const write = (text: string) => process.stdout.write(text)
try {
  process.exitCode = await runCommand(process.argv.slice(2), {
    readTime: findTime(process.env),
    openKey: () => findOperatorKey(process.env),
    openDatabase: async () => openDatabase({ url: await findDatabaseUrl(process.env), log: silentLog(), poolSize: 2 }),
    checkNodes: (other) =>
      Promise.all(
        findNodes(process.env, other).map(async ({ provider, ...node }) => ({
          node: nameOf(node.url),
          provider,
          checks: await checkNode(node),
        })),
      ),
    openChain: () => findChain(process.env),
    depth: () => findDepth(process.env),
    write,
    writeError: (text) => process.stderr.write(text),
  })
} catch (error) {
  // An error that the operator can mend is one line; anything else is ours and comes with its trace.
  const known = error instanceof OperatorError
  process.stderr.write(`candela: ${known || !(error instanceof Error) ? reasonOf(error) : (error.stack ?? '')}\n`)
  process.exitCode = 1
}
