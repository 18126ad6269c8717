import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../db/open.ts'
import { movedClock, systemClock } from '../kernel/clock.ts'
import { OperatorError } from '../kernel/errors.ts'

/**
 * The time of an operator's act: that of the database, whatever the clock of the operator's machine says. In the database of a
 * development chain it is moved as `npm start` moves it there, by `CLOCK_OFFSET_FILE` or a file under `DATA_DIR`.
 * @throws OperatorError when it would be moved in production
 */
export function findTime(env: Readonly<Record<string, string | undefined>>): (db: Database) => Promise<Date> {
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
