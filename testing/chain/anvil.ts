/** Runs anvil from its npm platform package. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { platformPackage } from '@candela/contracts/platform-package.ts'
import { connectRpc } from './json-rpc.ts'
import { freePort } from '../process/ports.ts'
import { type GuardedProcess, spawnGuarded } from '../process/spawn-guarded.ts'

/** A running anvil. */
export interface Anvil {
  url: string
  port: number
  pid: number
  /** Resolves when the process has ended, by `stop` or by itself. */
  exited: Promise<{ code: number | null }>
  /** Ends it, by a kill if needed. Its chain is lost: anvil alone stores nothing. */
  stop: () => Promise<void>
}

/** The settings of a chain to start. Without `port` the system chooses one. */
export interface AnvilOptions {
  port?: number
  chainId?: number
  /** The newest opcodes that the chain knows. The default is what our contracts are compiled for. */
  hardfork?: string
  /** Seconds between blocks; without it each transaction is mined at once. */
  blockTimeS?: number
  /** More of anvil's own arguments. */
  args?: readonly string[]
}

/** The path of anvil's binary, from npm's package for this machine. @throws if it is not installed */
export function findAnvil(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`
  const folder = platformPackage(join(import.meta.dirname, '..', 'package.json'), name)
  return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}

/** Starts an anvil that ends with this process, and waits until it answers. @throws if it does not start */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  // Somebody may take the free port before anvil does; then it ends at once and another port is tried.
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort())
    try {
      return await startOnPort(port, options)
    } catch (error) {
      if (options.port !== undefined || attempt === 3) throw error
    }
  }
}

async function startOnPort(port: number, options: AnvilOptions): Promise<Anvil> {
  const { chainId = 210_000, hardfork = 'paris', blockTimeS, args = [] } = options
  const output: string[] = []
  const child = await spawnGuarded(
    findAnvil(),
    ['--port', String(port), '--chain-id', String(chainId), '--hardfork', hardfork, '--quiet'].concat(
      blockTimeS === undefined ? [] : ['--block-time', String(blockTimeS)],
      args,
    ),
    { onLine: (line) => output.length < 20 && output.push(line) },
  )
  let running = true
  void child.exited.then(() => (running = false))
  const stop = () => child.stop(2000)
  try {
    await waitForAnswer(port, chainId, child, () => running)
  } catch (error) {
    await stop()
    throw new Error(`anvil did not start on port ${port}: ${output.join(' ') || String(error)}`, { cause: error })
  }
  return { url: `http://127.0.0.1:${port}`, port, pid: child.pid, exited: child.exited, stop }
}

async function waitForAnswer(
  port: number,
  chainId: number,
  child: GuardedProcess,
  isRunning: () => boolean,
): Promise<void> {
  const rpc = connectRpc(port)
  const giveUpMs = performance.now() + 60_000
  try {
    while (performance.now() < giveUpMs) {
      if (!isRunning()) throw new Error(`it ended with code ${String((await child.exited).code)}`)
      const answer = await rpc.call('eth_chainId').catch(() => undefined)
      // Another program may have the port: an answer counts only while our own process runs, and from the right chain.
      if (answer === `0x${chainId.toString(16)}` && isRunning()) return
      await sleep(10)
    }
    throw new Error('it gave no answer for a minute')
  } finally {
    rpc.close()
  }
}
