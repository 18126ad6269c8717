/**
 * The development chain: anvil with a memory. A block each second; every signed transaction and every block is written
 * down before it happens, and after a restart, of whatever died, the same steps give the same blocks with the same
 * hashes. Clients talk to a door in front of anvil, so a restart of anvil is a pause to them and nothing else.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { keccak256 } from 'viem'
import { type ChainNode, ChainDamaged, readTip, startNode, type Tip } from './chain-node.ts'
import {
  beginGeneration,
  dropOldGenerations,
  type Journal,
  type JournalHead,
  listGenerations,
  resumeJournal,
} from './journal.ts'
import { RpcRefusal } from './json-rpc.ts'
import { openDoor } from './rpc-door.ts'

/** A running development chain. */
export interface Chain {
  url: string
  port: number
  tip: () => Tip
  /** Mines a block now, a second after the last one by its own clock: once blocks tick, that may be ahead of the wall's. */
  mine: () => Promise<Tip>
  /** Begins a block each second, if that has not begun. */
  startTicking: () => void
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
  /** False: blocks come by `mine` only, until `startTicking`. */
  isTicking?: boolean
}

/** A new chain begins a while ago, so that the deployment's blocks need not wait a second each. */
const headStartS = 600

/** Starts the chain of a folder, a new one if there is none. @throws when it is damaged or the port is taken */
export async function startChain(options: ChainOptions): Promise<Chain> {
  const { folder, onLog = () => {}, nowMs = Date.now } = options
  const snapshotEveryBlocks = options.snapshotEveryBlocks ?? 1000
  const freshNodeEveryBlocks = options.freshNodeEveryBlocks ?? 10_000
  // Two days' worth, which loads in about two seconds.
  const keptEmptyBlocks = options.keptEmptyBlocks ?? 200_000
  const failure = Promise.withResolvers<Error>()
  const inTurn = takeTurns()
  /** Signed transactions that no block has yet, in the order of their arrival, by hash. */
  const pending = new Map<string, string>()
  let node: ChainNode | undefined
  let journal: Journal | undefined
  let tip: Tip
  let genesis: JournalHead['genesis']
  let blocksSinceSnapshot = 0
  let blocksSinceLoad = 0
  let isStopping = false

  if ((await listGenerations(folder)).length === 0) {
    const timestampS = Math.floor(nowMs() / 1000) - headStartS
    const fresh = { chainId: options.chainId ?? 210_000, hardfork: 'paris', timestampS, rich: options.rich }
    journal = await beginGeneration(
      folder,
      [{ kind: 'head', version: 1, genesis: fresh, number: 0, hash: null, timestampS }],
      undefined,
    )
  }

  /** Call in turn only. Starts anvil from what is on disk if it is not running. */
  async function aliveNode(): Promise<ChainNode> {
    for (let attempt = 1; !node?.isAlive(); attempt += 1) {
      if (isStopping) throw new Error('The development chain is stopping')
      try {
        node = await loadNode()
      } catch (error) {
        // Anvil may be killed while it starts, too; what is damaged stays damaged.
        if (error instanceof ChainDamaged || attempt === 5) throw error
        onLog(`anvil did not come up (${String(error)}); trying again`)
        await sleep(attempt * 200)
      }
    }
    return node
  }

  async function loadNode(): Promise<ChainNode> {
    await journal?.close()
    journal = undefined
    const generation = (await listGenerations(folder)).at(-1)
    if (generation === undefined) throw new ChainDamaged(`${folder} holds no chain any more`)
    const resumed = await resumeJournal(generation.journal)
    const [head] = resumed.lines
    if (head?.kind !== 'head') throw new ChainDamaged(`${generation.journal} has no head`)
    journal = resumed.journal
    const started = await startNode(generation, head, resumed.lines.slice(1), keptEmptyBlocks)
    tip = await readTip(started.rpc)
    genesis = head.genesis
    pending.clear()
    for (const line of resumed.lines) if (line.kind === 'tx') pending.set(hashOf(line.raw), line.raw)
    if (resumed.lines.at(-1)?.kind === 'mine') {
      await journal.append({ kind: 'mined', number: tip.number, hash: tip.hash })
    }
    blocksSinceSnapshot = tip.number - generation.number
    blocksSinceLoad = 0
    void watch(started)
    return started
  }

  /** Brings anvil back when it ends by itself, without waiting for the next block to miss it. */
  async function watch(started: ChainNode): Promise<void> {
    await started.anvil.exited
    if (isStopping || !started.isWanted()) return
    onLog(`anvil (pid ${started.anvil.pid}) has ended; starting it again`)
    await inTurn(aliveNode).then(() => onLog(`the chain goes on at block ${tip.number}`), giveUp)
  }

  function giveUp(error: unknown): void {
    if (!isStopping) failure.resolve(error instanceof Error ? error : new Error(String(error)))
  }

  /** Call in turn only. */
  async function mineBlock(alive: ChainNode, timestampS: number): Promise<Tip> {
    const number = tip.number + 1
    await journal?.append({ kind: 'mine', number, timestampS })
    await journal?.sync()
    try {
      const blocks = (await alive.rpc.call('evm_mine_detailed', [{ timestamp: timestampS }])) as {
        number: string
        hash: string
        transactions: { hash: string }[]
      }[]
      const block = blocks[0]
      if (block === undefined || Number(block.number) !== number) throw new Error(`anvil mined no block ${number}`)
      tip = { number, hash: block.hash, timestampS }
      for (const transaction of block.transactions) pending.delete(transaction.hash)
      await journal?.append({ kind: 'mined', number, hash: block.hash })
    } catch (error) {
      // A new anvil mines the block while it replays the journal.
      if (!(await hasDied(alive))) throw error
      await aliveNode()
    }
    blocksSinceSnapshot += 1
    blocksSinceLoad += 1
    if (blocksSinceSnapshot >= snapshotEveryBlocks) await takeSnapshot(alive)
    return tip
  }

  /** Call in turn only. A failure loses nothing: then the newest generation on disk, whichever it is, is loaded. */
  async function takeSnapshot(alive: ChainNode): Promise<void> {
    try {
      await writeSnapshot(alive)
      if (blocksSinceLoad >= freshNodeEveryBlocks && !isStopping) await alive.stop()
    } catch (error) {
      if (alive.isAlive()) onLog(`no snapshot of the chain: ${String(error)}`)
      await alive.stop()
    }
    if (!isStopping) await aliveNode()
  }

  async function writeSnapshot(alive: ChainNode): Promise<void> {
    const pool = (await alive.rpc.call('txpool_content')) as Record<
      string,
      Record<string, Record<string, { hash: string }>>
    >
    const waiting = new Set(
      Object.values(pool).flatMap((senders) =>
        Object.values(senders).flatMap((nonces) => Object.values(nonces).map((transaction) => transaction.hash)),
      ),
    )
    for (const hash of pending.keys()) if (!waiting.has(hash)) pending.delete(hash)
    const dump = (await alive.rpc.call('anvil_dumpState')) as string
    const old = journal
    journal = await beginGeneration(
      folder,
      [
        { kind: 'head', version: 1, genesis, ...tip },
        ...[...pending.values()].map((raw) => ({ kind: 'tx' as const, raw })),
      ],
      Buffer.from(dump.slice(2), 'hex'),
    )
    blocksSinceSnapshot = 0
    await old?.close()
    await dropOldGenerations(folder)
  }

  async function submit(raw: string) {
    return inTurn(async () => {
      const hash = hashOf(raw)
      const alive = await aliveNode()
      await journal?.append({ kind: 'tx', raw })
      try {
        const result = await alive.rpc.call('eth_sendRawTransaction', [raw])
        pending.set(hash, raw)
        return { result }
      } catch (error) {
        if (error instanceof RpcRefusal) return { error: { code: error.code, message: error.reason } }
        if (!(await hasDied(alive))) throw error
        // The new anvil got it from the journal. Whatever it then says of a second copy is the right answer.
        const fresh = await aliveNode()
        if ((await fresh.rpc.call('eth_getTransactionByHash', [hash])) !== null) return { result: hash }
        return { result: await fresh.rpc.call('eth_sendRawTransaction', [raw]) }
      }
    })
  }

  async function forward(body: Buffer): Promise<Buffer> {
    const first = node?.isAlive() ? node : await inTurn(aliveNode)
    try {
      return await first.rpc.forward(body)
    } catch (error) {
      if (!(await hasDied(first))) throw error
      return (await inTurn(aliveNode)).rpc.forward(body)
    }
  }

  const opening = inTurn(aliveNode).then(() => openDoor(options.port ?? 0, { forward, submit }))
  const door = await opening.catch(async (error: unknown) => {
    isStopping = true
    await node?.stop()
    await journal?.close()
    throw error
  })
  const address = door.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  /** A block when the wall clock has passed the last one, at each full second. */
  const tick = async (): Promise<void> => {
    await inTurn(async () => {
      const alive = await aliveNode()
      const nowS = Math.floor(nowMs() / 1000)
      if (nowS > tip.timestampS && !isStopping) await mineBlock(alive, nowS)
    })
  }
  const ticking = new AbortController()
  const tickUntilStopped = async (): Promise<void> => {
    while (!ticking.signal.aborted) {
      await sleep(1000 - (nowMs() % 1000) + 5, undefined, { signal: ticking.signal }).catch(() => {})
      if (!ticking.signal.aborted) await tick()
    }
  }
  let ticker: Promise<void> | undefined
  const startTicking = (): void => {
    ticker ??= tickUntilStopped().catch(giveUp)
  }
  if (options.isTicking !== false) startTicking()

  const stop = async (): Promise<void> => {
    isStopping = true
    ticking.abort()
    await ticker
    door.close()
    door.closeAllConnections()
    await inTurn(async () => {
      if (node?.isAlive() && blocksSinceSnapshot > 0) await takeSnapshot(node)
      await node?.stop()
      await journal?.close()
      journal = undefined
    })
  }
  let stopped: Promise<void> | undefined

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    tip: () => tip,
    mine: () => inTurn(async () => mineBlock(await aliveNode(), tip.timestampS + 1)),
    startTicking,
    anvil: () => ({ url: node?.anvil.url ?? '', pid: node?.anvil.pid ?? 0 }),
    failed: failure.promise,
    stop: () => (stopped ??= stop()),
  }
}

function hashOf(raw: string): string {
  return keccak256(raw as `0x${string}`)
}

/** A broken connection is noticed before the death that broke it, so the death gets a moment to show. */
async function hasDied(node: ChainNode): Promise<boolean> {
  if (node.isAlive()) await Promise.race([node.anvil.exited, sleep(1000)])
  return !node.isAlive()
}

/** One at a time, in the order of the calls. */
function takeTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine
    return mine
  }
}
