import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, createWalletClient, defineChain, http, parseEther } from 'viem'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { processIdentity } from '@candela/testing/process/identity'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testAccounts } from '@candela/testing/chain/accounts'
import { type Chain, type ChainOptions, startChain } from './chain.ts'
import { beginGeneration } from './journal.ts'
import { freePort, isPortTaken } from '@candela/testing/process/ports'

const [sender] = testAccounts()
if (sender === undefined) throw new Error('There are no test accounts')
const rich = sender.address
const { account } = sender
const recipient = '0x00000000000000000000000000000000000000aa'
const network = (url: string) =>
  defineChain({
    id: 210_000,
    name: 'test',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })

let folder: string
let open: Chain[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candela-chain-'))
})
afterEach(async () => {
  await Promise.all(open.map((chain) => chain.stop()))
  open = []
  await rm(folder, { recursive: true, force: true })
})

async function start(options: Partial<ChainOptions> = {}): Promise<Chain> {
  const chain = await startChain({ folder, rich, isTicking: false, ...options })
  open.push(chain)
  return chain
}

function clients(url: string) {
  const chain = network(url)
  const timeout = HANGS_AFTER_MS
  return {
    // A connection of before a kill may be taken before its end has been noticed: a read is asked again, a payment is not.
    read: createPublicClient({ chain, transport: http(url, { retryCount: 3, timeout }), cacheTime: 0 }),
    wallet: createWalletClient({ chain, transport: http(url, { retryCount: 0, timeout }), account }),
  }
}

type Clients = ReturnType<typeof clients>

/** A payment with everything given, so that sending it asks the chain nothing. */
function pay({ wallet }: Clients, nonce: number, value = 1n) {
  return wallet.sendTransaction({ to: recipient, value, nonce, gas: 21_000n, gasPrice: 2_000_000_000n })
}

async function history({ read }: Clients): Promise<string[]> {
  const head = Number(await read.getBlockNumber())
  const blocks = await Promise.all(
    Array.from({ length: head + 1 }, (_, number) => read.getBlock({ blockNumber: BigInt(number) })),
  )
  return blocks.map((block) => `${block.hash} ${block.timestamp} ${block.transactions.join()}`)
}

test('a stop and a start keep every block, balance, receipt and waiting transaction', async () => {
  const first = await start()
  const before = clients(first.url)
  const hash = await pay(before, 0, parseEther('3'))
  await first.mine()
  await first.mine()
  await pay(before, 1)
  const blocks = await history(before)
  const receipt = await before.read.getTransactionReceipt({ hash })
  await first.stop()

  const second = await start()
  const after = clients(second.url)
  expect(await history(after)).toEqual(blocks)
  expect(await after.read.getTransactionReceipt({ hash })).toEqual(receipt)
  expect(await after.read.getBalance({ address: recipient })).toBe(parseEther('3'))
  // States of the past are asked for at the first round of reconciliation.
  expect(await after.read.getBalance({ address: recipient, blockNumber: 0n })).toBe(0n)
  await second.mine()
  expect(await after.read.getBalance({ address: recipient })).toBe(parseEther('3') + 1n)
})

test('anvil killed at random instants under load: nothing confirmed changes and nothing sent is lost', async () => {
  const chain = await start({ snapshotEveryBlocks: 7 })
  const both = clients(chain.url)
  const stopping = new AbortController()
  const seen = new Map<number, string>()
  const mining = (async () => {
    while (!stopping.signal.aborted) {
      const tip = await chain.mine()
      seen.set(tip.number, tip.hash)
    }
  })()
  const kills = new Set<number>()
  const kill = async () => {
    while (kills.size < 12) {
      // Each kill meets another anvil, at some instant of its life.
      await expect.poll(() => kills.has(chain.anvil().pid)).toBe(false)
      const { pid } = chain.anvil()
      await sleep((kills.size * 37) % 90)
      kills.add(pid)
      process.kill(pid, 'SIGKILL')
    }
  }
  const over = new AbortController()
  const killing = kill().finally(() => over.abort())
  let payments = 0
  for (; !over.signal.aborted || payments < 150; payments += 1) {
    await pay(both, payments)
    await sleep(5)
  }
  await killing
  stopping.abort()
  await mining
  await chain.mine()
  await chain.mine()
  expect(await both.read.getBalance({ address: recipient })).toBe(BigInt(payments))
  for (const [number, hash] of seen) {
    expect((await both.read.getBlock({ blockNumber: BigInt(number) })).hash).toBe(hash)
  }
})

/** A chain in a process of its own, to be killed whole. */
async function startApart(port: number) {
  const script = `
    import { startChain } from ${JSON.stringify(join(import.meta.dirname, 'chain.ts'))}
    const chain = await startChain({
      folder: ${JSON.stringify(folder)}, rich: ${JSON.stringify(rich)}, port: ${port}, isTicking: false, snapshotEveryBlocks: 11,
    })
    process.stdout.write(chain.anvil().pid + '\\n')
    for (;;) { await chain.mine(); await new Promise((resolve) => setTimeout(resolve, 3)) }
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const anvilPid = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())))
    child.once('exit', (code) => reject(new Error(`the chain's process ended with ${code}`)))
  })
  const kill = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  return { anvilPid, kill }
}

test('the whole process killed again and again: the same history each time, and anvil ends with it', async () => {
  const port = await freePort()
  const both = clients(`http://127.0.0.1:${port}`)
  let known: string[] = []
  let nonce = 0
  let sent = 0n
  for (let round = 0; round < 6; round += 1) {
    const apart = await startApart(port)
    const blocks = await history(both)
    expect(blocks.slice(0, known.length)).toEqual(known)
    // It is killed at some instant of its work: after payments and blocks of this life.
    const wanted = BigInt(blocks.length + 10 + ((round * 53) % 40))
    do {
      await pay(both, nonce)
      nonce += 1
      sent += 1n
    } while ((await both.read.getBlockNumber()) < wanted)
    known = await history(both)
    await apart.kill()
    await expect.poll(() => processIdentity(apart.anvilPid)).toBeUndefined()
  }
  const chain = await start()
  const after = clients(chain.url)
  expect((await history(after)).slice(0, known.length)).toEqual(known)
  await chain.mine()
  expect(await after.read.getBalance({ address: recipient })).toBe(sent)
})

test('a line cut short by a kill is dropped; a changed line stops the chain with its reason', async () => {
  const first = await start()
  await pay(clients(first.url), 0)
  await first.mine()
  const { hash } = first.tip()
  process.kill(first.anvil().pid, 'SIGKILL')
  const journal = join(folder, 'journal-0.ndjson')
  const text = await readFile(journal, 'utf8')
  await first.stop()
  await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name))))

  await writeFile(journal, text)
  await appendFile(journal, '{"kind":"mine","numb')
  const second = await start()
  expect(second.tip()).toMatchObject({ number: 1, hash })
  await second.mine()
  await second.stop()
  await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name))))

  const later = text.replace(/("kind":"mine","number":1,"timestampS":)(\d+)/, (_, head: string, time: string) => {
    return `${head}${Number(time) + 1}`
  })
  expect(later).not.toBe(text)
  await writeFile(journal, later)
  await expect(start()).rejects.toThrow(`Block 1 was ${hash} and comes out as`)
})

/** A clock that stands until the test moves it, and the waits for it. */
function handClock(startMs: number) {
  let timeMs = startMs
  const waits: { durationMs: number; end: () => void }[] = []
  const nowMs = () => timeMs
  const wait = (durationMs: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve())
      waits.push({ durationMs, end: resolve })
    })
  return {
    parts: { nowMs, wait },
    nowMs,
    /** How long the next block is waited for, as soon as it is. */
    async nextWait(count: number): Promise<number | undefined> {
      await expect.poll(() => waits.length).toBe(count)
      return waits.at(-1)?.durationMs
    },
    /** Time passes, and the wait is over. */
    pass(durationMs: number) {
      timeMs += durationMs
      waits.at(-1)?.end()
    },
  }
}
test('a long journal gives the times that are in it, however long its replay takes', async () => {
  const genesis = { chainId: 210_000, hardfork: 'paris', timestampS: 1_700_000_000, rich }
  const head = { kind: 'head', version: 1, genesis, number: 0, hash: null, timestampS: genesis.timestampS } as const
  const blocks = Array.from(
    { length: 10_000 },
    (_, index) => ({ kind: 'mine', number: index + 1, timestampS: genesis.timestampS + 10 + index }) as const,
  )
  const journal = await beginGeneration(folder, [head, ...blocks], undefined)
  await journal.close()
  const chain = await start()
  expect(chain.tip()).toMatchObject({ number: 10_000, timestampS: blocks.at(-1)?.timestampS })
  const { read } = clients(chain.url)
  for (const number of [1n, 5_000n]) {
    const { timestamp } = await read.getBlock({ blockNumber: number })
    expect(timestamp).toBe(BigInt(genesis.timestampS) + 9n + number)
  }
})

test('a block a second by the wall clock, and no attempt to catch up after a pause', async () => {
  const clock = handClock(1_800_000_000_400)
  const first = await start({ isTicking: true, ...clock.parts })
  const heads: [number, number][] = []
  // Just after each full second; then a suspended machine; then a timer that was early.
  for (const [waited, passing] of [
    [605, 605],
    [1000, 1000],
    [1000, 10_800_000],
    [1000, 10],
  ] as const) {
    expect(await clock.nextWait(heads.length + 1)).toBe(waited)
    clock.pass(passing)
    await clock.nextWait(heads.length + 2)
    heads.push([first.tip().number, first.tip().timestampS])
  }
  expect(heads).toEqual([
    [1, 1_800_000_001],
    [2, 1_800_000_002],
    [3, 1_800_010_802],
    [3, 1_800_010_802],
  ])
  await first.stop()

  const later = handClock(clock.nowMs() + 3_600_000)
  const second = await start({ isTicking: true, ...later.parts })
  later.pass((await later.nextWait(1)) ?? 0)
  await later.nextWait(2)
  expect(second.tip()).toMatchObject({ number: 4, timestampS: 1_800_014_403 })
})

const behindS = ({ tip }: Chain, nowMs: number): number => nowMs / 1000 - tip().timestampS

test('a chain that begins to tick, new or from before, is at the present at once', async () => {
  const clock = handClock(1_800_000_000_400)
  const first = await start(clock.parts)
  expect(behindS(first, clock.nowMs())).toBeGreaterThan(500)
  await first.startTicking()
  expect(behindS(first, clock.nowMs())).toBeLessThan(1)
  await first.stop()

  const later = handClock(clock.nowMs() + 3_600_000)
  const second = await start(later.parts)
  expect(behindS(second, later.nowMs())).toBeGreaterThan(3_500)
  await second.startTicking()
  expect(behindS(second, later.nowMs())).toBeLessThan(1)
})

test('a fresh anvil after many blocks changes nothing, and old generations go', async () => {
  const chain = await start({ snapshotEveryBlocks: 5, restartEveryBlocks: 10 })
  const both = clients(chain.url)
  const { pid } = chain.anvil()
  await pay(both, 0)
  for (let block = 0; block < 9; block += 1) await chain.mine()
  const blocks = await history(both)
  for (let block = 0; block < 4; block += 1) await chain.mine()
  expect(chain.anvil().pid).not.toBe(pid)
  expect((await history(both)).slice(0, blocks.length)).toEqual(blocks)
  expect((await readdir(folder)).toSorted()).toEqual([
    'journal-10.ndjson',
    'journal-5.ndjson',
    'snapshot-10.json.gz',
    'snapshot-5.json.gz',
  ])
})

test('old empty blocks are left out of a long chain, and nothing else', async () => {
  const options = { snapshotEveryBlocks: 10, keptEmptyBlocks: 6 }
  const first = await start(options)
  const before = clients(first.url)
  const hash = await pay(before, 0)
  for (let block = 0; block < 20; block += 1) await first.mine()
  const receipt = await before.read.getTransactionReceipt({ hash })
  const { number, hash: head } = first.tip()
  await first.stop()
  for (let round = 0; round < 2; round += 1) {
    const next = await start(options)
    const { read } = clients(next.url)
    expect(next.tip()).toMatchObject({ number: number + round, hash: round === 0 ? head : next.tip().hash })
    expect(await read.getTransactionReceipt({ hash })).toEqual(receipt)
    expect((await read.getBlock({ blockNumber: receipt.blockNumber })).hash).toBe(receipt.blockHash)
    expect((await read.getBlock({ blockNumber: BigInt(number - 4) })).number).toBe(BigInt(number - 4))
    await expect(read.getBlock({ blockNumber: 5n })).rejects.toThrow('could not be found')
    await next.mine()
    await next.stop()
  }
})

test('the RPC proxy refuses what would change history, answers batches, and lets browsers in', async () => {
  const chain = await start()
  const post = async (body: unknown) => {
    const response = await fetch(chain.url, { method: 'POST', body: JSON.stringify(body) })
    return { json: await response.json(), headers: response.headers }
  }
  const { json, headers } = await post([
    { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
    { jsonrpc: '2.0', id: 2, method: 'anvil_setBalance', params: [recipient, '0x1'] },
    { jsonrpc: '2.0', id: 3, method: 'eth_sendTransaction', params: [{ from: rich, to: recipient }] },
    { jsonrpc: '2.0', id: 4, method: 'eth_sendRawTransaction', params: ['0x02'] },
  ])
  expect(json).toMatchObject([
    { id: 1, result: '0x33450' },
    { id: 2, error: { code: -32601 } },
    { id: 3, error: { code: -32601 } },
    { id: 4, error: { message: expect.stringContaining('decode') as unknown } },
  ])
  expect(headers.get('access-control-allow-origin')).toBe('*')
})

test('a taken port is refused before anything else is left running', async () => {
  const first = await start()
  expect(await isPortTaken(first.port)).toBe(true)
  const other = await mkdtemp(join(tmpdir(), 'candela-chain-'))
  try {
    await expect(startChain({ folder: other, rich, port: first.port })).rejects.toThrow('EADDRINUSE')
  } finally {
    await rm(other, { recursive: true, force: true })
  }
})

/** Blocks that a start has to mine again. */
async function blocksToReplay(): Promise<number> {
  const journals = (await readdir(folder)).filter((name) => name.startsWith('journal-'))
  const newest = Math.max(...journals.map((name) => Number(/\d+/.exec(name)?.[0])))
  const text = await readFile(join(folder, `journal-${newest}.ndjson`), 'utf8')
  return text.split('\n').filter((line) => line.includes('"kind":"mine"')).length
}

test('a day of idle blocks stays small and a start stays short', async () => {
  const first = await start({ snapshotEveryBlocks: 1000 })
  for (let block = 0; block < 1990; block += 1) await first.mine()
  const { hash } = first.tip()
  // Never more than between two snapshots, and nothing after a stop.
  expect(await blocksToReplay()).toBe(990)
  await first.stop()
  expect(await blocksToReplay()).toBe(0)
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size))
  // A day has 86,400 blocks: at 150 bytes a block that is 13 MB. Two generations are kept, each with 64 states of the past.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1990 * 2 * 150 + 2 * 64 * 75_000)
  const second = await start()
  expect(second.tip()).toMatchObject({ number: 1990, hash })
})
