import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { daysBetween } from '@candela/protocol/calendar'
import { assetCodes } from '@candela/protocol/money/assets'
import { processIdentity } from '@candela/testing/process/identity'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { accountBalance } from '@candela/server/ledger/balances'
import { auditLedger } from '@candela/server/ledger/audit'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { auditLoans } from '@candela/server/modules/lending/loan/audit-loans'
import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testAccounts } from '@candela/testing/chain/accounts'
import { deskStock } from './deploy/deploy-plan.ts'
import { type Devnet, startDevnet } from './devnet.ts'
import { freePort, isPortTaken } from '@candela/testing/process/ports'
import { HISTORY_DAYS, readPastMark } from './past-mark.ts'
import { BORROWER } from './seed/history.ts'

let folder: string
let ports: { PORT: string; RPC_PORT: string }
let cleanups: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candela-start-'))
  ports = { PORT: String(await freePort()), RPC_PORT: String(await freePort()) }
})
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
  cleanups = []
  await rm(folder, { recursive: true, force: true })
})

/** Settings of one installation; empty ones hide what the developer's own environment may hold. */
const settings = () => ({
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: '',
  RPC_URL: '',
  NODE_ENV: 'development',
  ...ports,
})

async function startHere(lines: string[] = []): Promise<Devnet> {
  const devnet = await startDevnet({ env: settings(), log: (line) => lines.push(line) })
  cleanups.push(devnet.stop)
  return devnet
}

/** `npm start` without npm. */
function startApart(env: Record<string, string> = settings()) {
  const path = join(import.meta.dirname, 'start.ts')
  const child: ChildProcess = spawn(process.execPath, [path], { env: { ...process.env, ...env }, stdio: 'pipe' })
  let output = ''
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  cleanups.push(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const saysIt = async (text: string) => {
    while (!output.includes(text)) {
      if (child.exitCode !== null) throw new Error(`it ended before it said "${text}":\n${output}`)
      await sleep(20)
    }
  }
  return { child, exited, saysIt, output: () => output }
}

const untilGone = (pid: number) => expect.poll(() => processIdentity(pid)).toBeUndefined()

async function untilReady({ url }: Devnet): Promise<void> {
  const status = () =>
    fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
  await expect.poll(status, { interval: 100 }).toBe(200)
}

async function contents({ databaseUrl }: Devnet) {
  const db = openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    const codes = await db.selectFrom('root_invitation').selectAll().execute()
    const plans = await db.selectFrom('power_plan').select(['id', 'name', 'created_at']).orderBy('id').execute()
    const acts = await db.selectFrom('operator_audit').selectAll().execute()
    const stock = await Promise.all(
      assetCodes.map((asset) => accountBalance(db, platformAccount('deskInventory', asset))),
    )
    const projects = await db.selectFrom('project').select(['project_no', 'collateral_asset']).orderBy('id').execute()
    return { codes, plans, projects, acts, stock }
  } finally {
    await db.destroy()
  }
}

/** The person of the demo wallet finds this past: all of it agrees with the ledger, and the days that are over are closed. */
async function expectPastOfLending({ databaseUrl }: Devnet): Promise<void> {
  const db = openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    const address = testAccounts()[BORROWER]?.address.toLowerCase()
    const loans = await db
      .selectFrom('loan_with_debt as l')
      .innerJoin('member as m', 'm.id', 'l.member_id')
      .select(['l.kind', 'l.opened_on', 'l.interest_through', 'l.member_id'])
      .where('m.address', '=', address ?? '')
      .orderBy('l.id')
      .execute()
    expect(loans.map(({ kind }) => kind)).toEqual(['project', 'lever'])
    const [loan] = loans
    if (loan === undefined) throw new Error('there is no loan')
    const { opened_on, interest_through, member_id } = loan
    expect(daysBetween(opened_on, interest_through)).toBeGreaterThanOrEqual(HISTORY_DAYS - 1)
    const prices = await db.selectFrom('fund_price').selectAll().where('reason', '=', 'close').orderBy('day').execute()
    expect(prices.length).toBeGreaterThanOrEqual(HISTORY_DAYS - 1)
    // Interest that a payment in a later block could take back is in no share price yet.
    for (const { assets_after, shares } of prices) expect(assets_after).toBeGreaterThanOrEqual(shares)
    expect(prices.at(-1)?.assets_after).toBeGreaterThan(prices.at(-1)?.shares ?? 0n)
    expect(await accountBalance(db, memberAccount(member_id, 'memberShares', 'SHARE'))).toBe(parseEther('1000'))
    expect(await auditLedger(db)).toEqual([])
    expect(await auditLoans(db)).toEqual([])
  } finally {
    await db.destroy()
  }
}

test('everything starts, each part comes back from kill -9, and a second start has all data', async () => {
  const lines: string[] = []
  const first = await startHere(lines)
  expect(lines.join('\n')).toMatch(/Starting Postgres[^]*Starting the server/)
  expect(await (await fetch(first.url)).text()).toContain('<div id="root"')
  const before = await contents(first)
  expect(before.codes).toMatchObject([{ code: 'CANDELA1', closed_at: null }])
  expect(before.plans).toHaveLength(3)
  const acts = Map.groupBy(before.acts, ({ command }) => command)
  expect(before.projects.map(({ collateral_asset }) => collateral_asset)).toEqual(['JU', 'HASH'])
  const names = ['invitation create', 'plan create', 'project create', 'suspense assign'] as const
  expect(names.map((name) => acts.get(name)?.length)).toEqual([1, 3, 4, 6])
  // 500 USDT have bought HASH for the leveraged loan of the past.
  expect(before.stock).toEqual([deskStock.ju, deskStock.usdt + parseEther('500'), deskStock.hash - parseEther('625')])
  await expectPastOfLending(first)

  const [, , user] = testAccounts()
  if (user === undefined) throw new Error('no user')
  const read = createPublicClient({ transport: http(first.rpcUrl), cacheTime: 0 })
  const wallet = createWalletClient({ account: user.account, transport: http(first.rpcUrl) })
  const gateway = first.deployment?.gateway ?? '0x'
  const sentS = Date.now() / 1000
  const hash = await wallet.sendTransaction({ chain: null, to: gateway, value: parseEther('2'), gas: 100_000n })
  const receipt = await read.waitForTransactionReceipt({ hash, pollingInterval: 100, timeout: HANGS_AFTER_MS })
  const { timestamp } = await read.getBlock({ blockNumber: receipt.blockNumber })
  // The block is of the time in which it was waited for.
  expect(Number(timestamp)).toBeGreaterThan(sentS - 5)
  expect(Number(timestamp)).toBeLessThan(Date.now() / 1000 + 5)

  for (const part of ['anvil', 'server', 'postgres'] as const) {
    const pid = first.pids()[part] ?? 0
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => first.pids()[part]).not.toBe(pid)
    await untilReady(first)
  }
  expect(await read.getTransactionReceipt({ hash })).toEqual(receipt)
  expect(await contents(first)).toEqual(before)
  const { server, postgres = 0, anvil = 0 } = first.pids()
  await first.stop()
  for (const pid of [server, postgres, anvil]) expect(await processIdentity(pid)).toBeUndefined()

  const second = await startHere()
  expect(second.deployment).toEqual(first.deployment)
  expect(await read.getTransactionReceipt({ hash })).toEqual(receipt)
  expect(await read.getBalance({ address: gateway })).toBe(deskStock.ju + parseEther('1002'))
  expect(await contents(second)).toEqual(before)
  await untilReady(second)
})

test('a launcher killed with -9 takes its parts along, and the next one starts at once', async () => {
  const first = startApart()
  await first.saysIt('Ctrl-C stops everything')
  expect(first.output()).toContain('CANDELA1')
  expect(first.output()).toContain(testAccounts()[9]?.privateKey)
  const notes = JSON.parse(await readFile(join(folder, 'data', 'processes.json'), 'utf8')) as { pid: number }[]
  const [postgres] = (await readFile(join(folder, 'data', 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')
  first.child.kill('SIGKILL')
  const second = startApart()
  await second.saysIt('Ctrl-C stops everything')
  for (const { pid } of notes) await untilGone(pid)
  await untilGone(Number(postgres))

  const copy = startApart()
  expect(await copy.exited).toBe(1)
  expect(copy.output()).toMatch(/^candela: .* in use by process \d+\n$/)

  const { pid } = (
    JSON.parse(await readFile(join(folder, 'data', 'processes.json'), 'utf8')) as { pid: number }[]
  )[0] ?? { pid: 0 }
  second.child.kill('SIGKILL')
  await untilGone(pid)
  expect(await isPortTaken(Number(ports.PORT))).toBe(false)

  const third = startApart()
  await third.saysIt('Ctrl-C stops everything')
  third.child.kill('SIGINT')
  // The terminal and npm both pass a Ctrl-C on.
  third.child.kill('SIGINT')
  expect(await third.exited).toBe(0)
  expect(third.output()).toContain('everything is kept')
  expect(await isPortTaken(Number(ports.PORT))).toBe(false)
  expect(await isPortTaken(Number(ports.RPC_PORT))).toBe(false)
})

test('Ctrl-C at any instant of the first start ends it within seconds, and a later start completes it', async () => {
  for (const word of ['Starting the chain', 'Deploying: Uniswap V2 router', 'Starting the server']) {
    const cut = startApart()
    await cut.saysIt(word)
    cut.child.kill('SIGINT')
    expect(await cut.exited).toBe(0)
    expect(cut.output()).toContain('Stopped before the start was complete')
    expect(await isPortTaken(Number(ports.RPC_PORT))).toBe(false)
  }
  const devnet = await startHere()
  expect((await contents(devnet)).plans).toHaveLength(3)
})

test('a taken port and a broken setting are one line each and a non-zero exit, with nothing left behind', async () => {
  const stranger = createServer((socket) => socket.resume())
  await new Promise<void>((resolve) => stranger.listen(Number(ports.RPC_PORT), '127.0.0.1', resolve))
  cleanups.push(() => new Promise((resolve) => stranger.close(resolve)))
  const taken = startApart()
  const broken = startApart({ ...settings(), DATA_DIR: join(folder, 'other'), PORT: 'eighty' })
  expect(await taken.exited).toBe(1)
  expect(taken.output()).toBe(
    `candela: Port ${ports.RPC_PORT} is taken by another program; set RPC_PORT to a free one\n`,
  )
  expect(await broken.exited).toBe(1)
  expect(broken.output()).toBe('candela: PORT must be a whole number\n')
})

test.each([
  ['PORT', { PORT: '6000' }, 'Browsers refuse port 6000; set PORT to another one'],
  ['RPC_PORT', { RPC_PORT: '6665' }, 'Browsers refuse port 6665; set RPC_PORT to another one'],
  ['both', { PORT: '18545', RPC_PORT: '18545' }, 'PORT and RPC_PORT are both 18545; set one of them to another port'],
])('a port that cannot work is one line at once: %s', async (_which, wrong, said) => {
  const start = startApart({ ...settings(), ...wrong })
  expect(await start.exited).toBe(1)
  expect(start.output()).toBe(`candela: ${said}\n`)
})

test('a start that is killed while it makes the past leaves no half of it', async () => {
  const killed = startApart({ ...settings(), PGSSLMODE: 'verify-full', PGOPTIONS: '-c search_path=nowhere' })
  await killed.saysIt('Making a few days of past')
  // Some of it is there: the purchase is in the database.
  await expect.poll(() => readPastMark(join(folder, 'data'))).toBe('begun')
  killed.child.kill('SIGKILL')
  await killed.exited
  const lines: string[] = []
  const devnet = await startHere(lines)
  expect(lines.join('\n')).toContain('beginning anew')
  expect((await contents(devnet)).plans).toHaveLength(3)
  await expectPastOfLending(devnet)
  expect(await readPastMark(join(folder, 'data'))).toBeUndefined()
})

test('a full disk is one line and an orderly end, and the next start goes on when there is room', async () => {
  const log = join(folder, 'data', 'server.log')
  await mkdir(join(folder, 'data'))
  // Linux's own file for this: it opens, and each write finds the disk full.
  await symlink('/dev/full', log)
  const full = startApart({ ...settings(), SEED_HISTORY: 'off' })
  expect(await full.exited).toBe(1)
  expect(full.output()).toMatch(/ {2}Cannot go on: .*ENOSPC.*: make room, and start again\n/)
  expect(full.output()).toContain('everything is kept for the next start')
  expect(full.output()).not.toMatch(/^\s+at /m)
  expect(await isPortTaken(Number(ports.PORT))).toBe(false)
  await rm(log)
  const next = startApart({ ...settings(), SEED_HISTORY: 'off' })
  await next.saysIt('Ctrl-C stops everything')
})

test.each(['SIGHUP', 'SIGKILL'] as const)('npm that ends by %s takes the product along', async (name) => {
  const start = [process.execPath, join(import.meta.dirname, 'start.ts')]
  // npm: starts the command, waits for it, and passes neither signal on.
  const npm = `require('node:child_process').spawn(process.argv[1], [process.argv[2]], { stdio: 'inherit' })`
  const env = { ...process.env, ...settings(), SEED_HISTORY: 'off', npm_lifecycle_event: 'start' }
  const parent = spawn(process.execPath, ['-e', npm, ...start], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const closed = once(parent.stdout, 'close')
  await expect.poll(() => output).toContain('Ctrl-C stops everything')
  const { pid = 0 } = (JSON.parse(await readFile(join(folder, 'data', 'owner.json'), 'utf8')) as { pid?: number }) ?? {}
  expect(await processIdentity(pid)).toBeDefined()
  parent.kill(name)
  await untilGone(pid)
  await closed
  expect(output).toContain('everything is kept for the next start')
  expect(await isPortTaken(Number(ports.PORT))).toBe(false)
  expect(await isPortTaken(Number(ports.RPC_PORT))).toBe(false)
})

test('a recorded process is ended only if its number still belongs to it', async () => {
  const sleeper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'])
  cleanups.push(async () => sleeper.kill('SIGKILL'))
  const other = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'])
  cleanups.push(async () => other.kill('SIGKILL'))
  const { openProcessRegistry } = await import('@candela/testing/process/process-registry')
  const registry = openProcessRegistry(folder)
  await registry.record('server', sleeper.pid ?? 0)
  await registry.record('other', other.pid ?? 0)
  const path = join(folder, 'processes.json')
  const stored = JSON.parse(await readFile(path, 'utf8')) as { part: string; identity: string }[]
  const changed = stored.map((note) => (note.part === 'other' ? { ...note, identity: `${note.identity}1` } : note))
  await writeFile(path, JSON.stringify(changed))
  expect(await openProcessRegistry(folder).endOrphans()).toEqual(['server'])
  await untilGone(sleeper.pid ?? 0)
  // A signal would have ended it before it could answer.
  other.stdin.write('alive')
  const [answer] = (await once(other.stdout, 'data')) as [Buffer]
  expect(answer.toString()).toBe('alive')
})
