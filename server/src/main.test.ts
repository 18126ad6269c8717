import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { freePort } from '@candela/devnet/process/ports'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestChain } from '../test/testing/chain.ts'
import { createTestDatabase, type TestDatabase } from './db/testing.ts'
import { startChainForServer } from '../test/testing/server.ts'

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

function run(settings: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  children.add(child)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const exited = once(child, 'exit').then(([code, signal]: unknown[]) => ({ code, signal, output, errors }))
  return { child, exited, log: () => output }
}

async function start(settings: Record<string, string> = {}) {
  const port = await freePort()
  const running = run({ ...env, PORT: String(port), ...settings })
  const url = `http://127.0.0.1:${port}`
  await until(`ready at ${url}`, async () => (await statusOf(`${url}/readyz`)) === 200)
  return { ...running, url, port }
}

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  )

async function until(what: string, good: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await good()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`not in time: ${what}`)
}

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
      const { child, exited } = await start()
      // Twice, as a Ctrl-C under npm arrives.
      child.kill(signal)
      await new Promise((resolve) => setTimeout(resolve, 5))
      child.kill(signal)
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

  test('as a second copy on the same database', async () => {
    await start()
    const port = String(await freePort())
    expect(await refusal({ ...env, PORT: port })).toBe('candela: another server is running on the same database')
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
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
    await until('ready again', async () => (await statusOf(`${url}/readyz`)) === 200)
    expect(await statusOf(`${url}/api/v1/home/public`)).toBe(200)
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')
    expect((await exited).code).toBe(0)
  })

  test('while the chain is away: alive, not ready, and nothing is logged twice a second', async () => {
    await using other = await createTestDatabase()
    const port = await freePort()
    const rpc = `http://127.0.0.1:${await freePort()}`
    const settings = { ...env, DATABASE_URL: other.url, PORT: String(port), RPC_URL: rpc, MAX_HEAD_AGE_S: '1' }
    const { child, exited, log } = run(settings)
    await until('alive', async () => (await statusOf(`http://127.0.0.1:${port}/healthz`)) === 200)
    await until('not ready', async () => (await statusOf(`http://127.0.0.1:${port}/readyz`)) === 503)
    child.kill('SIGTERM')
    expect((await exited).code).toBe(0)
    expect(log().split('following the chain').length).toBeLessThan(4)
  })
})
