/**
 * The development chain: anvil with durable state. A block each second; every signed transaction and every block is
 * written to disk before anvil gets it, and after a restart of anvil or of everything the same steps give the same blocks
 * with the same hashes. Clients talk to an RPC proxy in front of anvil, so that a restart of anvil only delays answers.
 */
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { JUCHAIN, juchainRules, mayRefuse } from '@candela/testing/chain/juchain'
import { PersistentAnvil } from './persistent-anvil.ts'
import type { Tip } from './restore-anvil.ts'
import { beginGeneration, listGenerations } from './journal.ts'
import { startRpcProxy } from './rpc-proxy.ts'

/** A running development chain. */
export interface Chain {
  url: string
  port: number
  tip: () => Tip
  /**
   * Mines a block now, with this time in seconds, else a second after the last one by its own clock: once blocks tick, that
   * may be ahead of the wall's.
   */
  mine: (timestampS?: number) => Promise<Tip>
  /**
   * Mines a block with the current time, and from then on one each second. Does nothing when that has begun before. After it
   * the newest block's time is the current time, and no longer that of the chain's beginning or last stop.
   */
  startTicking: () => Promise<void>
  /** Anvil without the proxy, with all of its methods: changes made here are not in the journal, and may stop the chain. */
  anvil: () => { url: string; pid: number }
  /** Resolves if the chain cannot go on; the reason is one line for a person. */
  failed: Promise<Error>
  /** Stops the chain, with everything on disk. */
  stop: () => Promise<void>
}

/** With `juchain`, addresses in the file `blocked` of the chain's folder, one a line, send and get no transactions. */
export type ChainRules = 'anvil' | 'juchain'

const hardforks: Readonly<Record<ChainRules, string>> = { anvil: 'paris', juchain: JUCHAIN.hardfork }

/** The chain's folder and settings. Without `port` the system chooses one. */
export interface ChainOptions {
  folder: string
  /** The account that gets 20,000,000 JU on a new chain. */
  rich: string
  port?: number
  chainId?: number
  /** Wall-clock time in milliseconds; blocks carry it in seconds. */
  nowMs?: () => number
  onLog?: (line: string) => void
  /** Blocks between two snapshots, which is the most that a start has to replay. */
  snapshotEveryBlocks?: number
  /** Blocks after which anvil is replaced by a new one, because its memory grows with states times blocks. */
  restartEveryBlocks?: number
  /** Blocks without transactions that are older than this many blocks are left out when the chain is loaded. */
  keptEmptyBlocks?: number
  /** The rules of the nodes of a new chain: anvil's own, or those of JuChain. A chain keeps its rules. */
  rules?: ChainRules
  /** How long ago a new chain begins: a while, so that the deployment's blocks need not wait a second each. */
  headStartS?: number
  /** False: blocks come by `mine` only, until `startTicking`. */
  isTicking?: boolean
  /** How the next second is waited for; a real timer unless a test brings its own clock. Ends early with the signal. */
  wait?: (durationMs: number, signal: AbortSignal) => Promise<unknown>
}

const timer = (durationMs: number, signal: AbortSignal) => sleep(durationMs, undefined, { signal })

const usualHeadStartS = 600

/** Starts the chain of a folder, a new one if there is none. @throws when it is damaged or the port is taken */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { folder, onLog = () => {}, nowMs = Date.now, wait = timer } = options
  const failure = Promise.withResolvers<Error>()
  if ((await listGenerations(folder)).length === 0) await createChain(options, nowMs())
  const anvil = new PersistentAnvil({
    folder,
    onLog,
    onFailure: failure.resolve,
    snapshotEveryBlocks: options.snapshotEveryBlocks ?? 1000,
    restartEveryBlocks: options.restartEveryBlocks ?? 10_000,
    // More than two days' worth.
    keptEmptyBlocks: options.keptEmptyBlocks ?? 200_000,
  })
  const proxy = await openWithProxy(anvil, options)
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const ticker = startableTicker(anvil, { nowMs, wait }, failure.resolve)
  if (options.isTicking !== false) ticker.start()
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await ticker.stop()
    proxy.close()
    proxy.closeAllConnections()
    await anvil.close()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    tip: () => anvil.tip,
    mine: (timestampS) => anvil.mine((tip) => timestampS ?? tip.timestampS + 1),
    async startTicking() {
      await anvil.mine(() => Math.floor(nowMs() / 1000))
      ticker.start()
    },
    anvil: () => anvil.process,
    failed: failure.promise,
    stop: () => (stopped ??= stop()),
  }
}

async function createChain(
  { folder, chainId = CHAIN_ID, rich, rules = 'anvil', headStartS = usualHeadStartS }: ChainOptions,
  nowMs: number,
): Promise<void> {
  const timestampS = Math.floor(nowMs / 1000) - headStartS
  const genesis = { chainId, hardfork: hardforks[rules], timestampS, rich }
  const head = { kind: 'head', version: 1, genesis, number: 0, hash: null, timestampS } as const
  const journal = await beginGeneration(folder, [head], undefined)
  await journal.close()
}

async function openWithProxy(
  anvil: PersistentAnvil,
  { folder, port = 0, rules = 'anvil' }: ChainOptions,
): Promise<Server> {
  try {
    await anvil.open()
    if (anvil.hardfork !== hardforks[rules]) {
      throw new Error(`${folder} has a chain of other rules: use another DATA_DIR, or set CHAIN as at its first start`)
    }
    const isJuchain = rules === 'juchain'
    const refuse = juchainRules(() => blockedIn(folder))
    return await startRpcProxy(port, {
      mayRefuse: (method) => isJuchain && mayRefuse(method),
      refuse: (call) => (isJuchain ? refuse(call) : Promise.resolve(null)),
      forward: (body) => anvil.forward(body),
      submit: (raw) => anvil.submit(raw),
    })
  } catch (error) {
    await anvil.close()
    throw error
  }
}

/** The addresses of the list, lower case. It is read for each transaction, so that it can be changed at any time. */
function blockedIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readFileSync(join(folder, 'blocked'), 'utf8').toLowerCase().split(/\s+/).filter(Boolean))
  } catch {
    return new Set()
  }
}

/** A block at each full second, when the wall clock has passed the last one. Seconds that were missed get no block. */
function startableTicker(
  anvil: PersistentAnvil,
  { nowMs, wait }: Required<Pick<ChainOptions, 'nowMs' | 'wait'>>,
  onFailure: (error: Error) => void,
) {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    for (;;) {
      await wait(1000 - (nowMs() % 1000) + 5, stopping.signal).catch(() => {})
      if (stopping.signal.aborted) return
      await anvil.mine(() => Math.floor(nowMs() / 1000))
    }
  }
  return {
    start: () => {
      running ??= run().catch((error: unknown) => {
        if (!stopping.signal.aborted) onFailure(error instanceof Error ? error : new Error(String(error)))
      })
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
