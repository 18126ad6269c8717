/**
 * An anvil whose chain survives the end of its process: each change is written to the journal on disk before anvil makes
 * it, and an anvil that has exited is replaced by one that is brought to the same state. Changes are made one at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { keccak256 } from 'viem'
import { ChainDamaged, type RestoredAnvil, readTip, restoreAnvil, type Tip } from './restore-anvil.ts'
import {
  beginGeneration,
  dropOldGenerations,
  type Journal,
  type JournalHead,
  listGenerations,
  resumeJournal,
} from './journal.ts'
import { RpcRefusal } from '@candela/testing/chain/json-rpc'

/** The chain's folder, and the numbers of blocks between snapshots, restarts, …, as in `ChainOptions`. */
export interface PersistentAnvilOptions {
  folder: string
  onLog: (line: string) => void
  /** Called when the chain cannot go on. */
  onFailure: (error: Error) => void
  snapshotEveryBlocks: number
  restartEveryBlocks: number
  keptEmptyBlocks: number
}

/** The answer of anvil to a transaction, without the envelope. */
export type Submission = { result: unknown } | { error: { code: number; message: string } }

type MinedBlocks = { number: string; hash: string; transactions: { hash: string }[] }[]
type PoolContent = Record<string, Record<string, Record<string, { hash: string }>>>

/** The chain of one folder, which must hold a generation. Call `open` first and `close` last. */
export class PersistentAnvil {
  readonly #options: PersistentAnvilOptions
  readonly #exclusive = createMutex()
  /** Signed transactions that no block has yet, in the order of their arrival, by hash. */
  readonly #pending = new Map<string, string>()
  #node: RestoredAnvil | undefined
  #journal: Journal | undefined
  #genesis: JournalHead['genesis'] | undefined
  #tip: Tip | undefined
  #blocksSinceSnapshot = 0
  #blocksSinceLoad = 0
  #isClosing = false

  constructor(options: PersistentAnvilOptions) {
    this.#options = options
  }

  /** The newest block. */
  get tip(): Tip {
    if (this.#tip === undefined) throw new Error('The development chain is not open yet')
    return this.#tip
  }

  /** The newest opcodes that the chain knows. */
  get hardfork(): string | undefined {
    return this.#genesis?.hardfork
  }

  /** The current anvil, for calls that go around the journal. */
  get process(): { url: string; pid: number } {
    return { url: this.#node?.anvil.url ?? '', pid: this.#node?.anvil.pid ?? 0 }
  }

  /** Loads the chain. @throws ChainDamaged when what is stored does not give the blocks that were seen */
  async open(): Promise<void> {
    await this.#exclusive(() => this.#runningNode())
  }

  /** Mines a block, if the time that `timestampS` gives for the current tip is later than the tip's. */
  async mine(timestampS: (tip: Tip) => number): Promise<Tip> {
    return this.#exclusive(async () => {
      const node = await this.#runningNode()
      const time = timestampS(this.tip)
      if (time > this.tip.timestampS && !this.#isClosing) await this.#mineBlock(node, time)
      return this.tip
    })
  }

  /** Submits a signed transaction. Once this resolves, the transaction survives a kill of any process. */
  async submit(raw: string): Promise<Submission> {
    return this.#exclusive(async () => {
      const node = await this.#runningNode()
      await this.#journal?.append({ kind: 'tx', raw })
      try {
        const result = await node.rpc.call('eth_sendRawTransaction', [raw])
        this.#pending.set(hashOf(raw), raw)
        return { result }
      } catch (error) {
        if (error instanceof RpcRefusal) return { error: { code: error.code, message: error.reason } }
        if (!(await hasExited(node))) throw error
        return this.#submittedBefore(raw)
      }
    })
  }

  /** Forwards a request that only reads. Waits while anvil is being replaced. */
  async forward(body: Buffer): Promise<Buffer> {
    const node = this.#node?.isRunning() ? this.#node : await this.#exclusive(() => this.#runningNode())
    try {
      return await node.rpc.forward(body)
    } catch (error) {
      if (!(await hasExited(node))) throw error
      return (await this.#exclusive(() => this.#runningNode())).rpc.forward(body)
    }
  }

  /** Stops anvil, with everything on disk. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#exclusive(async () => {
      if (this.#node?.isRunning() && this.#blocksSinceSnapshot > 0) await this.#takeSnapshot(this.#node)
      await this.#node?.stop()
      await this.#journal?.close()
      this.#journal = undefined
    })
  }

  // Everything below runs inside `#exclusive`.

  /** The running anvil; starts one from what is on disk if there is none. */
  async #runningNode(): Promise<RestoredAnvil> {
    for (let attempt = 1; !this.#node?.isRunning(); attempt += 1) {
      if (this.#isClosing) throw new Error('The development chain is stopping')
      try {
        this.#node = await this.#loadNode()
      } catch (error) {
        // Anvil may also be killed while it starts; then another try helps. It does not help with a damaged file.
        if (error instanceof ChainDamaged || attempt === 5) throw error
        this.#options.onLog(`anvil did not start (${String(error)}); trying again`)
        await sleep(attempt * 200)
      }
    }
    return this.#node
  }

  async #loadNode(): Promise<RestoredAnvil> {
    await this.#journal?.close()
    this.#journal = undefined
    const { folder, keptEmptyBlocks } = this.#options
    const generation = (await listGenerations(folder)).at(-1)
    if (generation === undefined) throw new ChainDamaged(`${folder} holds no chain`)
    const { lines, journal } = await resumeJournal(generation.journal)
    this.#journal = journal
    const [head] = lines
    if (head?.kind !== 'head') throw new ChainDamaged(`${generation.journal} has no head`)
    const node = await restoreAnvil(generation, head, lines.slice(1), keptEmptyBlocks)
    const tip = await readTip(node.rpc)
    // The journal ends with a block that was to be mined; the replay has mined it, so its hash is noted now.
    if (lines.at(-1)?.kind === 'mine') await journal.append({ kind: 'mined', number: tip.number, hash: tip.hash })
    this.#tip = tip
    this.#genesis = head.genesis
    this.#pending.clear()
    for (const line of lines) if (line.kind === 'tx') this.#pending.set(hashOf(line.raw), line.raw)
    this.#blocksSinceSnapshot = tip.number - generation.number
    this.#blocksSinceLoad = 0
    void this.#watch(node)
    return node
  }

  /** Starts a new anvil as soon as this one exits by itself, without waiting for the next call to fail. */
  async #watch(node: RestoredAnvil): Promise<void> {
    await node.anvil.exited
    if (this.#isClosing || node.isStopping()) return
    const { onLog, onFailure } = this.#options
    onLog(`anvil (process ${node.anvil.pid}) has ended; starting it again`)
    try {
      await this.#exclusive(() => this.#runningNode())
      onLog(`the chain goes on at block ${this.tip.number}`)
    } catch (error) {
      if (!this.#isClosing) onFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #mineBlock(node: RestoredAnvil, timestampS: number): Promise<void> {
    const number = this.tip.number + 1
    await this.#journal?.append({ kind: 'mine', number, timestampS })
    await this.#journal?.sync()
    try {
      const [block] = (await node.rpc.call('evm_mine_detailed', [{ timestamp: timestampS }])) as MinedBlocks
      if (block === undefined || Number(block.number) !== number) throw new Error(`anvil mined no block ${number}`)
      this.#tip = { number, hash: block.hash, timestampS }
      for (const transaction of block.transactions) this.#pending.delete(transaction.hash)
      await this.#journal?.append({ kind: 'mined', number, hash: block.hash })
    } catch (error) {
      // A new anvil mines the block while it replays the journal.
      if (!(await hasExited(node))) throw error
      await this.#runningNode()
    }
    this.#blocksSinceSnapshot += 1
    this.#blocksSinceLoad += 1
    if (this.#blocksSinceSnapshot >= this.#options.snapshotEveryBlocks)
      await this.#takeSnapshot(await this.#runningNode())
  }

  /**
   * Anvil exited while it was given a transaction. That is in the journal, so the next anvil has it, and its answer to the
   * same transaction tells whether it was accepted.
   */
  async #submittedBefore(raw: string): Promise<Submission> {
    const hash = hashOf(raw)
    const { rpc } = await this.#runningNode()
    if ((await rpc.call('eth_getTransactionByHash', [hash])) !== null) return { result: hash }
    try {
      return { result: await rpc.call('eth_sendRawTransaction', [raw]) }
    } catch (error) {
      if (error instanceof RpcRefusal) return { error: { code: error.code, message: error.reason } }
      throw error
    }
  }

  /** A failure loses nothing: anvil is then started again from the newest generation on disk. */
  async #takeSnapshot(node: RestoredAnvil): Promise<void> {
    try {
      await this.#writeSnapshot(node)
      if (this.#blocksSinceLoad >= this.#options.restartEveryBlocks && !this.#isClosing) await node.stop()
    } catch (error) {
      if (node.isRunning()) this.#options.onLog(`no snapshot of the chain: ${String(error)}`)
      await node.stop()
    }
    if (!this.#isClosing) await this.#runningNode()
  }

  async #writeSnapshot({ rpc }: RestoredAnvil): Promise<void> {
    if (this.#genesis === undefined) throw new Error('The chain is not loaded')
    const pool = (await rpc.call('txpool_content')) as PoolContent
    const waiting = new Set(
      Object.values(pool)
        .flatMap((senders) => Object.values(senders))
        .flatMap((nonces) => Object.values(nonces).map((transaction) => transaction.hash)),
    )
    for (const hash of this.#pending.keys()) if (!waiting.has(hash)) this.#pending.delete(hash)
    const dump = (await rpc.call('anvil_dumpState', [true])) as string
    const head = { kind: 'head', version: 1, genesis: this.#genesis, ...this.tip } as const
    const carried = [...this.#pending.values()].map((raw) => ({ kind: 'tx', raw }) as const)
    const old = this.#journal
    this.#journal = await beginGeneration(this.#options.folder, [head, ...carried], Buffer.from(dump.slice(2), 'hex'))
    this.#blocksSinceSnapshot = 0
    await old?.close()
    await dropOldGenerations(this.#options.folder)
  }
}

function hashOf(raw: string): string {
  return keccak256(raw as `0x${string}`)
}

/** On a busy machine the system may take seconds to report the exit of a process. */
const EXIT_REPORTED_WITHIN_MS = 30_000

/** A connection breaks before the exit of the process is reported, so this waits for that report. */
async function hasExited(node: RestoredAnvil): Promise<boolean> {
  if (node.isRunning()) {
    const waiting = new AbortController()
    const limit = sleep(EXIT_REPORTED_WITHIN_MS, undefined, { signal: waiting.signal }).catch(() => {})
    await Promise.race([node.anvil.exited, limit])
    waiting.abort()
  }
  return !node.isRunning()
}

/** Runs one piece of work at a time, in the order of the calls. */
function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work, work)
    last = result
    return result
  }
}
