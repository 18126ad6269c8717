import { openDatabase } from '../../db/open.ts'
import { reasonOf } from '../../kernel/errors.ts'
import { processLog } from '../../kernel/log.ts'
import { migrateWithLog } from './migrate-with-log.ts'

/**
 * `npm run migrate`: brings the database of `DATABASE_OWNER_URL` to the latest schema and says who may do what, before servers of a
 * new version start whose own account may not. Exits with 1 when nothing was done.
 */
const url = process.env['DATABASE_OWNER_URL']
if (url === undefined || url === '') {
  process.stderr.write('DATABASE_OWNER_URL is not set: it must be a Postgres URL of the account that owns the tables\n')
  process.exit(1)
}
const { log, written } = processLog('info')
const db = openDatabase({ url, poolSize: 1, log })
try {
  await migrateWithLog(db, log)
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
} finally {
  await db.destroy()
  await written()
}
