import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '@candela/server/kernel/log'
import { discardEmbeddedPostgres, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { processIdentity } from '../process/identity.ts'
import { openDatabase } from '@candela/server/db/open'

/** Faults for real: these clusters wait for the disk, and are killed. */

let folder: string
const running: EmbeddedPostgres[] = []
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candela-embedded-'))
})
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill))
  for (const postgres of running.splice(0)) await postgres.stop()
  // The Postgres of a killed child may still write into the folder while it shuts down.
  await discardEmbeddedPostgres(folder)
})

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function start(at = folder): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ folder: at })
  running.push(postgres)
  return postgres
}

async function query<T>(url: string, text: string): Promise<T[]> {
  const db = openDatabase({ url, log: silentLog(), poolSize: 1 })
  try {
    return (await sql.raw<T>(text).execute(db)).rows
  } finally {
    await db.destroy()
  }
}

const noteCount = async (url: string) => (await query<{ count: bigint }>(url, 'select count(*) from note'))[0]?.count

/** Another process of ours that starts Postgres on the folder, says its number, and waits to be killed. */
async function startElsewhere(): Promise<{ parent: ChildProcess; pid: number; url: string }> {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))})
    const postgres = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)} })
    console.log(JSON.stringify({ pid: postgres.pid, url: postgres.url() }))
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(parent)
  for await (const line of createInterface({ input: parent.stdout })) {
    return { parent, ...(JSON.parse(line) as { pid: number; url: string }) }
  }
  throw new Error('the other process ended without starting Postgres')
}

test('what was committed is there after kill -9 of Postgres itself', async () => {
  const first = await start()
  await query(first.url(), 'create table note (text text); insert into note values (1), (2)')
  process.kill(first.pid, 'SIGKILL')
  await first.exited
  const second = await start()
  expect(second.pid).not.toBe(first.pid)
  expect(await noteCount(second.url())).toBe(2n)
  expect(await query(second.url(), 'show fsync')).toEqual([{ fsync: 'on' }])
})

/** The process that ends Postgres when its parent has ended: the other child. */
const guardsOf = async (parent: number, postgres: number): Promise<number[]> =>
  (await childrenOf(parent)).filter((pid) => pid !== postgres)

async function childrenOf(parent: number): Promise<number[]> {
  const processes =
    process.platform === 'linux'
      ? await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readParent))
      : (await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])).stdout
          .split('\n')
          .map((line) => line.trim().split(/\s+/).map(Number))
  return processes.flatMap(([pid = 0, of]) => (of === parent ? [pid] : []))
}

/** The number of a process and of its parent; nothing when it has ended meanwhile. */
async function readParent(pid: string): Promise<number[]> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may have blanks and parentheses itself; the state and the parent follow it.
  const parent = /^.*\) \S (\d+)/s.exec(line)?.[1]
  return parent === undefined ? [] : [Number(pid), Number(parent)]
}

test('a Postgres that outlived its parent is stopped by the next start before it takes the folder', async () => {
  const { parent, pid, url } = await startElsewhere()
  const guards = await guardsOf(parent.pid ?? 0, pid)
  expect(guards).toHaveLength(1)
  for (const guard of guards) process.kill(guard, 'SIGKILL')
  await query(url, 'create table note (text text); insert into note values (1)')
  await kill(parent)
  expect(await processIdentity(pid)).toBeDefined()
  const next = await start()
  expect(await processIdentity(pid)).toBeUndefined()
  expect(await noteCount(next.url())).toBe(1n)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  '%s to the parent ends Postgres as well, and what was committed is there',
  async (name) => {
    const { parent, pid, url } = await startElsewhere()
    await query(url, 'create table note (text text); insert into note values (1)')
    expect(await processIdentity(pid)).toBeDefined()
    parent.kill(name)
    await expect.poll(() => processIdentity(pid)).toBeUndefined()
    // It ends after its Postgres, and until then the folder is its own.
    await expect.poll(() => processIdentity(parent.pid ?? 0)).toBeUndefined()
    expect(await readFile(join(folder, 'server.log'), 'utf8')).toMatch(/database system is shut down\s*$/)
    expect(await noteCount((await start()).url())).toBe(1n)
  },
)

test('a folder that a living process uses is refused, naming it; nothing happens to that one', async () => {
  const { parent, url } = await startElsewhere()
  await query(url, 'create table note (text text)')
  await expect(startEmbeddedPostgres({ folder })).rejects.toThrow(`in use by process ${parent.pid}`)
  expect(await noteCount(url)).toBe(0n)
})

test('a start that was killed while it made the cluster is made anew', async () => {
  await start().then((postgres) => postgres.stop())
  // Such a death leaves a half-made cluster under its working name, and a torn owner file.
  await rename(join(folder, 'data'), join(folder, 'data.new'))
  await rm(join(folder, 'data.new', 'PG_VERSION'))
  await writeFile(join(folder, 'owner.json'), '{"pid": 4')
  const again = await start()
  await query(again.url(), 'create table note (text text)')
  expect(existsSync(join(folder, 'data.new'))).toBe(false)
})

test('stop is clean, gives the folder free, and may be called again', async () => {
  const postgres = await start()
  const open = openDatabase({ url: postgres.url(), log: silentLog() })
  await sql`select 1`.execute(open)
  await postgres.stop()
  await postgres.stop()
  await open.destroy()
  expect(existsSync(join(folder, 'data', 'postmaster.pid'))).toBe(false)
  expect(await readFile(join(folder, 'server.log'), 'utf8')).toMatch(/database system is shut down\s*$/)
  await start()
})

test('two at once in two folders both run, each with a password of its own that others cannot read', async () => {
  const [one, two] = await Promise.all([start(join(folder, 'one')), start(join(folder, 'two'))])
  expect(new URL(one.url()).password).not.toBe(new URL(two.url()).password)
  const wrong = new URL(one.url())
  wrong.password = 'guess'
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  for (const name of ['one', 'two']) {
    expect((await stat(join(folder, name, 'password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700)
  }
})

/** Reads the address that the server was reached at; null for a socket file. */
const addressOf = (url: string) => query(url, 'select inet_server_addr()::text as address')

test('it is reached by a socket file, and by TCP where the path is too long for one', async () => {
  const near = await start()
  expect(await addressOf(near.url())).toEqual([{ address: null }])
  const tcp = new URL(near.url())
  tcp.search = ''
  expect(await addressOf(tcp.href)).toEqual([{ address: '127.0.0.1/32' }])
  await near.stop()
  const far = await start(join(folder, 'f'.repeat(100)))
  expect(await addressOf(far.url())).toEqual([{ address: '127.0.0.1/32' }])
})

test('a port that is taken is said at once', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(startEmbeddedPostgres({ folder, port })).rejects.toThrow(`port ${port} on 127.0.0.1 is taken`)
  other.close()
  running.push(await startEmbeddedPostgres({ folder, port }))
  expect(running.at(-1)?.port).toBe(port)
})
