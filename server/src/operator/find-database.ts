import { OperatorError } from '../kernel/errors.ts'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/**
 * The database that the service uses: `DATABASE_URL`, or the embedded Postgres under `DATA_DIR` that `npm start` runs.
 * @throws OperatorError when there is neither
 */
export async function findDatabaseUrl(env: Readonly<Record<string, string | undefined>>): Promise<string> {
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
