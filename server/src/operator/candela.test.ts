import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorProgram } from '@candela/testing/build/build-server'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { utcDay } from '@candela/protocol/calendar'
import { DAY_MS } from '@candela/protocol/units'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { silentLog } from '../kernel/log.ts'

/** The command line as a process of its own, beside the Postgres that `npm start` keeps in its data folder. */

let dataFolder: string
let keyFile: string
let postgres: EmbeddedPostgres
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'candela-operator-'))
  // Debian's initdb, which root runs as another account, looks for its own folder once more.
  await chmod(dataFolder, 0o711)
  keyFile = join(dataFolder, 'ada.key')
  postgres = await startEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), durable: false })
})
afterAll(async () => {
  await postgres.stop()
  await rm(dataFolder, { recursive: true, force: true })
})

function candela(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: dataFolder,
    CANDELA_KEY_FILE: keyFile,
  }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [operatorProgram, ...args], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
}

test('finds the running database by its folder, and says in one line what is missing', async () => {
  expect(await candela('setting', 'list')).toEqual({
    code: 1,
    out: '',
    err: 'candela: this database has no tables yet: start the service once\n',
  })
  const db = openDatabase({ url: postgres.url(), log: silentLog(), poolSize: 1 })
  await migrate(db)
  await db.destroy()

  expect(await candela('invitation', 'create', 'OPENING1')).toMatchObject({
    code: 1,
    err: `candela: the key file ${keyFile} cannot be read (ENOENT)\n`,
  })
  const made = await candela('--json', 'operator', 'new-key', keyFile)
  expect(made).toMatchObject({ code: 0, err: '' })
  const { key } = JSON.parse(made.out) as { key: string }
  expect(await candela('invitation', 'create', 'OPENING1')).toMatchObject({
    code: 1,
    err: `candela: no operator has the key ${key}: "operator list" shows who has which\n`,
  })
  expect(await candela('operator', 'add', 'ada', '--key', key)).toMatchObject({ code: 0, err: '' })
  const created = await candela('--json', 'invitation', 'create', 'OPENING1')
  expect(created).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(created.out)).toMatchObject({ code: 'OPENING1' })
  expect((await candela('invitation', 'list')).out).toContain('OPENING1')
  expect(await candela('invitation', 'create', 'OPENING1')).toEqual({
    code: 1,
    out: '',
    err: 'candela: the invitation code OPENING1 exists already\n',
  })

  // Time passes as it does for the service.
  const tomorrow = utcDay(new Date(Date.now() + DAY_MS))
  expect(await candela('close', '--day', tomorrow)).toMatchObject({
    code: 1,
    err: `candela: ${tomorrow} is not over\n`,
  })
  await writeFile(join(dataFolder, 'clock-offset'), String(3 * DAY_MS))
  expect(await candela('close', '--day', tomorrow)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`the loans and the fund are closed for ${tomorrow}; no revenue was shared`),
  })

  await postgres.stop()
  const gone = await candela('setting', 'list')
  expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('DATABASE_URL is not set, and no Postgres') })
})
