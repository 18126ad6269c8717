import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { serverProgram } from '@candela/testing/build/build-server'
import { freePort } from '@candela/testing/process/ports'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestChain } from '@candela/testing/chain/test-chain'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { temporaryFolder } from '@candela/testing/server/server-process'
import { startChainForServer } from '@candela/testing/server/test-config'

/** The server as a process: how it starts, refuses to start, and ends. */

let chain: TestChain
let database: TestDatabase
let env: Record<string, string>
const children = new Set<ChildProcess>()

beforeAll(async () => {
  const [started, created] = await Promise.all([startChainForServer(), createTestDatabase()])
  chain = started.chain
  database = created
  env = { ...started.env, NODE_ENV: 'development', LOG_LEVEL: 'info', DATABASE_URL: database.url }
})
afterEach(async () => {
  for (const child of children) if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  children.clear()
})
afterAll(async () => {
  await chain?.stop()
  await database?.drop()
})

/** Writes to a pipe until it takes nothing more. */
async function fill(pipe: FileHandle): Promise<void> {
  const full = async (): Promise<boolean> => {
    try {
      await pipe.write('x'.repeat(4096))
      return false
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' })
      return true
    }
  }
  while (!(await full()));
}

/** @param stdout where its standard output goes, when not to this test: a file descriptor */
function run(settings: Record<string, string>, stdout: 'pipe' | number = 'pipe') {
  const child = spawn(process.execPath, [serverProgram], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['pipe', stdout, 'pipe'],
  })
  children.add(child)
  let output = ''
  let errors = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const exited = once(child, 'exit').then(([code, signal]: unknown[]) => ({ code, signal, output, errors }))
  return { child, exited, log: () => output }
}

async function start(settings: Record<string, string> = {}, stdout: 'pipe' | number = 'pipe') {
  const port = await freePort()
  const running = run({ ...env, PORT: String(port), ...settings }, stdout)
  const url = `http://127.0.0.1:${port}`
  await becomes(`${url}/readyz`, 200)
  return { ...running, url, port }
}

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  )

const becomes = (url: string, status: number) => expect.poll(() => statusOf(url), { message: url }).toBe(status)

/** The one line that a start is refused with. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const { code, errors } = await run(settings).exited
  expect(code).toBe(1)
  expect(errors.trimEnd().split('\n')).toHaveLength(1)
  return errors.trimEnd()
}

describe('it ends', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`with code 0 on ${signal}, also a repeated one, everything closed`, async () => {
      const { child, exited, log } = await start()
      // Twice, as a Ctrl-C under npm arrives. The second meets a server that is stopping: following waits for its cursor.
      await database.db.transaction().execute(async (tx) => {
        await sql`lock table chain_cursor`.execute(tx)
        const blocked = () =>
          sql`
          select from pg_locks where not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(tx)
        await expect.poll(async () => (await blocked()).rows).not.toEqual([])
        child.kill(signal)
        await expect.poll(log).toContain('"msg":"stopping"')
        child.kill(signal)
      })
      const { code, output, errors } = await exited
      expect([code, errors]).toEqual([0, ''])
      expect(output).toContain('"msg":"stopped"')
    })
  }

  test('when standard input closes, if told so', async () => {
    const { child, exited } = await start({ EXIT_WITH_PARENT: 'on' })
    child.stdin?.end()
    expect((await exited).code).toBe(0)
  })

  test('when the reader of its log has stopped reading, and when it has gone', async () => {
    await using folder = await temporaryFolder()
    const pipe = path.join(folder.path, 'log')
    await promisify(execFile)('mkfifo', [pipe])
    const held = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    await fill(held)
    for (const gone of [false, true]) {
      const log = await open(pipe, 'w')
      const { child, exited } = await start({ LOG_LEVEL: 'info' }, log.fd)
      await log.close()
      // With the last reader the pipe is empty and broken.
      if (gone) await held.close()
      child.kill('SIGTERM')
      const { code, signal } = await exited
      expect([code, signal]).toEqual(gone ? [0, null] : [null, 'SIGKILL'])
    }
  })

  test('by kill -9, and the next start on the same database is not kept out', async () => {
    const { child, exited } = await start()
    child.kill('SIGKILL')
    await exited
    const next = await start()
    next.child.kill('SIGTERM')
    expect((await next.exited).code).toBe(0)
  })
})

describe('it does not start, says why in one line and exits with 1', () => {
  test('with a wrong setting', async () => {
    expect(await refusal({ ...env, PORT: 'http' })).toBe('candela: PORT must be a whole number')
  })

  test('on a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    try {
      expect(await refusal({ ...env, PORT: String(port) })).toBe(
        `candela: port ${port} is taken: set PORT or stop what uses it`,
      )
    } finally {
      other.close()
    }
  })

  test('without its database', async () => {
    const nowhere = `postgres://candela@127.0.0.1:${await freePort()}/candela`
    expect(await refusal({ ...env, DATABASE_URL: nowhere })).toMatch(/^candela: .*ECONNREFUSED/)
  })

  test('with a web folder that was not built', async () => {
    expect(await refusal({ ...env, WEB_DIST: '/nowhere' })).toMatch(/^candela: WEB_DIST must be a folder/)
  })
})

describe('it carries on', () => {
  test('when every database connection is cut', async () => {
    const { child, exited, url } = await start()
    const { rows: cut } = await sql<{ pid: number }>`
      select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
    const pids = cut.map(({ pid }) => pid)
    expect(pids.length).toBeGreaterThan(0)
    const left = () => sql`select from pg_stat_activity where pid = any(${pids})`.execute(database.db)
    await expect.poll(async () => (await left()).rows).toEqual([])
    await becomes(`${url}/readyz`, 200)
    await becomes(`${url}/api/v1/home/public`, 200)
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')
    expect((await exited).code).toBe(0)
  })

  test('while the chain is away: alive, not ready, and nothing is logged twice a second', async () => {
    await using other = await createTestDatabase()
    const port = await freePort()
    let asked = 0
    const nobody = createServer((socket) => {
      asked += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(nobody, 'listening')
    const rpc = `http://127.0.0.1:${(nobody.address() as { port: number }).port}`
    const settings = { ...env, DATABASE_URL: other.url, PORT: String(port), RPC_URL: rpc, MAX_HEAD_AGE_S: '1' }
    const { child, exited, log } = run(settings)
    await becomes(`http://127.0.0.1:${port}/healthz`, 200)
    await becomes(`http://127.0.0.1:${port}/readyz`, 503)
    // Starting and the other loops ask a few times; the follower has failed often enough to be heard often.
    await expect.poll(() => asked).toBeGreaterThan(8)
    child.kill('SIGTERM')
    expect((await exited).code).toBe(0)
    nobody.close()
    expect(log()).toContain('following the chain: ')
    expect(log().split('following the chain: ').length).toBeLessThan(4)
  })
})
