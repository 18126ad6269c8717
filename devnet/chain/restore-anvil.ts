/** Starts an anvil with the state that a generation on disk describes, and compares block hashes to prove it. */
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import { type Anvil, startAnvil } from '@candela/testing/chain/anvil'
import type { Generation, JournalHead, JournalLine } from './journal.ts'
import { JUCHAIN } from '@candela/testing/chain/juchain'
import { connectRpc, type RpcConnection, RpcRefusal } from '@candela/testing/chain/json-rpc'

/** The newest block. */
export interface Tip {
  number: number
  hash: string
  timestampS: number
}

/** An anvil and the connection to it. */
export interface RestoredAnvil {
  anvil: Anvil
  rpc: RpcConnection
  isRunning: () => boolean
  /** True once `stop` was called: then its exit is not a failure. */
  isStopping: () => boolean
  stop: () => Promise<void>
}

/** The stored transactions do not give the blocks that clients saw before, so the chain must not be continued. */
export class ChainDamaged extends Error {}

/** JU of the account that deploys: it fills the pools, and the others keep anvil's 10,000. */
const richBalanceWei = 20_000_000n * 10n ** 18n
/** States of so many blocks back can be asked for with `eth_call`; each costs memory that grows with the chain. */
const keptStates = 64

/**
 * Starts an anvil as a generation left it and as its journal goes on. Of blocks older than the newest `keptEmptyBlocks`,
 * those without transactions are left out.
 * @throws ChainDamaged
 */
export async function restoreAnvil(
  generation: Generation,
  head: JournalHead,
  lines: readonly JournalLine[],
  keptEmptyBlocks: number,
): Promise<RestoredAnvil> {
  if (head.version !== 1) throw new ChainDamaged(`${generation.journal} is not of this version`)
  const statePath = join(generation.journal, '..', 'loading.json')
  if (generation.snapshot !== undefined) {
    await unpackSnapshot(generation.snapshot, statePath, head.number, keptEmptyBlocks)
  }
  const anvil = await startAnvil({
    chainId: head.genesis.chainId,
    hardfork: head.genesis.hardfork,
    args: ['--no-mining', '--order', 'fifo', '--no-request-size-limit'].concat(
      head.genesis.hardfork === JUCHAIN.hardfork
        ? ['--gas-limit', String(JUCHAIN.gasLimit), '--gas-price', String(JUCHAIN.minGasPrice)]
        : [],
      ['--timestamp', String(head.genesis.timestampS), '--prune-history', String(keptStates)],
      generation.snapshot === undefined ? [] : ['--load-state', statePath],
    ),
  })
  const rpc = connectRpc(anvil.port)
  let running = true
  let stopping = false
  void anvil.exited.then(() => (running = false))
  const node: RestoredAnvil = {
    anvil,
    rpc,
    isRunning: () => running,
    isStopping: () => stopping,
    stop: async () => {
      stopping = true
      running = false
      await anvil.stop()
      rpc.close()
    },
  }
  try {
    await rm(statePath, { force: true })
    if (generation.snapshot === undefined) {
      await rpc.call('anvil_setBalance', [head.genesis.rich, `0x${richBalanceWei.toString(16)}`])
    }
    if (head.hash !== null) await requireHash(rpc, head.number, head.hash)
    await replay(rpc, head, lines)
    return node
  } catch (error) {
    await node.stop()
    throw error
  }
}

async function unpackSnapshot(from: string, to: string, number: number, keptEmptyBlocks: number): Promise<void> {
  if (number <= keptEmptyBlocks) {
    await pipeline(createReadStream(from), createGunzip(), createWriteStream(to))
    return
  }
  const state = JSON.parse((await promisify(gunzip)(await readFile(from))).toString('utf8')) as {
    blocks: { header: { number: string }; transactions: unknown[] }[]
  }
  state.blocks = state.blocks.filter(({ header, transactions }) => {
    const height = Number(header.number)
    return height === 0 || transactions.length > 0 || height > number - keptEmptyBlocks
  })
  await writeFile(to, JSON.stringify(state))
}

/** Repeats what the journal says. Blocks a second apart with nothing between them are mined in one call. */
async function replay(rpc: RpcConnection, head: JournalHead, lines: readonly JournalLine[]): Promise<void> {
  let run: { from: number; fromTimestampS: number; count: number } | undefined
  let expected: { number: number; hash: string } | undefined
  const flush = async () => {
    if (run === undefined) return
    await rpc.call('evm_setNextBlockTimestamp', [run.fromTimestampS])
    // The interval is set beforehand. Given to anvil_mine it would be added to the wall clock, and blocks would get later
    // times, and other hashes, when the clock's second changes during the replay.
    await rpc.call('anvil_setBlockTimestampInterval', [1])
    await rpc.call('anvil_mine', [`0x${run.count.toString(16)}`])
    await rpc.call('anvil_removeBlockTimestampInterval')
    run = undefined
    // Each hash contains the one before, so the last one that is known proves them all.
    if (expected !== undefined) await requireHash(rpc, expected.number, expected.hash)
    expected = undefined
  }
  let number = head.number
  for (const line of lines) {
    if (line.kind === 'tx') {
      await flush()
      await submitAgain(rpc, line.raw)
    } else if (line.kind === 'mine') {
      number += 1
      if (line.number !== number) throw new ChainDamaged(`The journal goes from block ${number - 1} to ${line.number}`)
      if (run !== undefined && line.timestampS !== run.fromTimestampS + run.count) await flush()
      run ??= { from: number, fromTimestampS: line.timestampS, count: 0 }
      run.count += 1
    } else if (line.kind === 'mined') {
      expected = line
    }
  }
  await flush()
}

async function submitAgain(rpc: RpcConnection, raw: string): Promise<void> {
  try {
    await rpc.call('eth_sendRawTransaction', [raw])
  } catch (error) {
    // A transaction that was refused before is refused again.
    if (!(error instanceof RpcRefusal)) throw error
  }
}

async function requireHash(rpc: RpcConnection, number: number, hash: string): Promise<void> {
  const block = await readBlock(rpc, `0x${number.toString(16)}`)
  if (block?.hash !== hash) {
    throw new ChainDamaged(`Block ${number} was ${hash} and comes out as ${block?.hash ?? 'nothing'}`)
  }
}

/** The newest block of a node. */
export async function readTip(rpc: RpcConnection): Promise<Tip> {
  const block = await readBlock(rpc, 'latest')
  if (block === null) throw new Error('anvil has no latest block')
  return { number: Number(block.number), hash: block.hash, timestampS: Number(block.timestamp) }
}

async function readBlock(rpc: RpcConnection, tag: string) {
  return (await rpc.call('eth_getBlockByNumber', [tag, false])) as {
    number: string
    hash: string
    timestamp: string
  } | null
}
