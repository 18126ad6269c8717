/** Writes server/src/db/tables and docs/pictures/schema.svg from the migrated schema: run it when a migration is new (`npm run tables`). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { openDatabase } from '@candela/server/db/open'
import { renderSchema } from '@candela/server/db/schema/render-schema'
import { renderTables } from '@candela/server/db/schema/render-tables'
import { silentLog } from '@candela/server/kernel/log'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

const tables = path.join(import.meta.dirname, '..', 'server', 'src', 'db', 'tables')
const folder = await mkdtemp(path.join(tmpdir(), 'candela-tables-'))
const postgres = await startEmbeddedPostgres({ folder, durable: false })
try {
  const db = openDatabase({ url: postgres.url(), log: silentLog() })
  try {
    await migrate(db)
    const rendered = await renderTables(db)
    await rm(tables, { recursive: true, force: true })
    await mkdir(tables)
    await writeFile(path.join(import.meta.dirname, '..', 'docs', 'pictures', 'schema.svg'), await renderSchema(db))
    for (const [file, text] of rendered) await writeFile(path.join(tables, file), text)
  } finally {
    await db.destroy()
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
