/**
 * The development chain: anvil with a memory. A block each second; every signed transaction and every block is written
 * down before it happens, and after a restart, of whatever died, the same steps give the same blocks with the same
 * hashes. Clients talk to a door in front of anvil, so a restart of anvil is a pause to them and nothing else.
 */
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHAIN_ID } from '@candela/protocol/network'
import { ChainKeeper } from './persistent-anvil.ts'
import type { Tip } from './restore-anvil.ts'
import { beginGeneration, listGenerations } from './journal.ts'
import { openDoor } from './rpc-proxy.ts'

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
   * Mines a block of now, and begins another each second, if that has not begun. Whoever looks at the chain after that does
   * not find it in the past, where it began or was left.
   */
  startTicking: () => Promise<void>
  /** Past the door, with all of anvil's own methods: what is changed here is not written down, and may stop the chain. */
  anvil: () => { url: string; pid: number }
  /** Settles if the chain cannot go on; the reason is one line for a person. */
  failed: Promise<Error>
  /** Stops for good, with everything on disk. */
  stop: () => Promise<void>
}

/** Where the chain lives and how it runs. Without `port` the system chooses one. */
export interface ChainOptions {
  folder: string
  /** The account that a new chain makes rich. */
  rich: string
  port?: number
  chainId?: number
  /** Wall-clock time in milliseconds; blocks carry it in seconds. */
  nowMs?: () => number
  onLog?: (line: string) => void
  /** A new snapshot after so many blocks: what a start has to replay at most. */
  snapshotEveryBlocks?: number
  /** A new anvil after so many blocks, because each one kept costs it memory in every state. */
  freshNodeEveryBlocks?: number
  /** Older blocks without transactions are left out when the chain is loaded. */
  keptEmptyBlocks?: number
  /** How long ago a new chain begins: a while, so that the deployment's blocks need not wait a second each. */
  headStartS?: number
  /** False: blocks come by `mine` only, until `startTicking`. */
  isTicking?: boolean
}

const usualHeadStartS = 600

/** Starts the chain of a folder, a new one if there is none. @throws when it is damaged or the port is taken */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { folder, onLog = () => {}, nowMs = Date.now } = options
  const failure = Promise.withResolvers<Error>()
  if ((await listGenerations(folder)).length === 0) await createChain(options, nowMs())
  const keeper = new ChainKeeper({
    folder,
    onLog,
    onFailure: failure.resolve,
    snapshotEveryBlocks: options.snapshotEveryBlocks ?? 1000,
    freshNodeEveryBlocks: options.freshNodeEveryBlocks ?? 10_000,
    // More than two days' worth.
    keptEmptyBlocks: options.keptEmptyBlocks ?? 200_000,
  })
  const door = await openKeeper(keeper, options.port ?? 0)
  const address = door.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const ticker = startableTicker(keeper, nowMs, failure.resolve)
  if (options.isTicking !== false) ticker.start()
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await ticker.stop()
    door.close()
    door.closeAllConnections()
    await keeper.close()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    tip: () => keeper.tip,
    mine: (timestampS) => keeper.mine((tip) => timestampS ?? tip.timestampS + 1),
    async startTicking() {
      await keeper.mine(() => Math.floor(nowMs() / 1000))
      ticker.start()
    },
    anvil: () => keeper.anvil,
    failed: failure.promise,
    stop: () => (stopped ??= stop()),
  }
}

async function createChain(
  { folder, chainId = CHAIN_ID, rich, headStartS = usualHeadStartS }: ChainOptions,
  nowMs: number,
): Promise<void> {
  const timestampS = Math.floor(nowMs / 1000) - headStartS
  const genesis = { chainId, hardfork: 'paris', timestampS, rich }
  const head = { kind: 'head', version: 1, genesis, number: 0, hash: null, timestampS } as const
  const journal = await beginGeneration(folder, [head], undefined)
  await journal.close()
}

async function openKeeper(keeper: ChainKeeper, port: number): Promise<Server> {
  try {
    await keeper.open()
    return await openDoor(port, {
      forward: (body) => keeper.forward(body),
      submit: (raw) => keeper.submit(raw),
    })
  } catch (error) {
    await keeper.close()
    throw error
  }
}

/** A block at each full second, when the wall clock has passed the last one. A missed second stays missed. */
function startableTicker(keeper: ChainKeeper, nowMs: () => number, onFailure: (error: Error) => void) {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    for (;;) {
      await sleep(1000 - (nowMs() % 1000) + 5, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      await keeper.mine(() => Math.floor(nowMs() / 1000))
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
