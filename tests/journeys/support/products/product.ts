import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Deployment } from '@candela/devnet/deploy/deploy'
import { type Devnet, startDevnet } from '@candela/devnet/devnet'
import { freePort } from '@candela/testing/process/ports'

/** Where the parts of a running product are. Plain data, because it is also passed between processes. */
export type Product = {
  /** Where people open it. */
  origin: string
  rpcUrl: string
  databaseUrl: string
  /** Where its files are, also the operators' keys. */
  dataDir: string
  contracts: Deployment
}

export type RunningProduct = Product & {
  /** Lets time pass for its chain and its server. @throws in production, and on a product that was started elsewhere */
  passTime: (durationMs: number) => Promise<void>
  /** Stops its server for good; the chain goes on. */
  stopServer: () => Promise<void>
  stop: () => Promise<void>
}

/** `production` refuses plain routes and serves the build without the demo wallet. */
export type Mode = 'development' | 'production'

export type ProductOptions = {
  mode: Mode
  /** Added to the product's settings. */
  env?: Readonly<Record<string, string>>
  /** Aborting it during the start stops what has been started, and makes the start fail. */
  signal?: AbortSignal
}

/** Confirmations of a payment, where a journey looks at them being counted: one block comes each second. */
export const MANY_CONFIRMATIONS = 8

export const manyConfirmations = {
  CONFIRMATIONS: String(MANY_CONFIRMATIONS),
  CONFIRMATIONS_LARGE: String(MANY_CONFIRMATIONS),
}

const settings = {
  RECONCILE_INTERVAL_S: '10',
  PRICE_INTERVAL_S: '1',
  // All browsers of a run come from one address, which is no reason to slow any of them down.
  RATE_LIMIT_SCALE: '1000',
  // A history takes time to make, and journeys count what is there.
  SEED_HISTORY: 'off',
}

/** The folder's name begins so, by which a later run knows what an interrupted one has left behind. */
export const FOLDER_PREFIX = 'candela-product-'

/**
 * Starts database, chain, contracts, seed, web and server on free ports in a new folder.
 * @throws with the whole log of the start when it does not start; nothing is left running then
 */
export async function startProduct({ mode, env = {}, signal }: ProductOptions): Promise<RunningProduct> {
  const folder = await mkdtemp(path.join(tmpdir(), FOLDER_PREFIX))
  const clean = () => rm(folder, { recursive: true, force: true })
  try {
    const devnet = await start({ mode, env, ...(signal !== undefined && { signal }) }, folder)
    if (devnet.deployment === undefined) throw new Error('The development chain has no contracts')
    return {
      origin: devnet.url,
      rpcUrl: devnet.rpcUrl,
      databaseUrl: devnet.databaseUrl,
      dataDir: folder,
      contracts: devnet.deployment,
      passTime: devnet.passTime,
      stopServer: devnet.stopServer,
      async stop() {
        await devnet.stop()
        await clean()
      },
    }
  } catch (error) {
    await clean()
    throw error
  }
}

async function start({ mode, env, signal }: ProductOptions, folder: string): Promise<Devnet> {
  const [port, rpcPort] = await Promise.all([freePort(), freePort()])
  const ports = { PORT: String(port), RPC_PORT: String(rpcPort) }
  const lines: string[] = []
  try {
    return await startDevnet({
      env: { ...settings, ...env, ...ports, NODE_ENV: mode, DATA_DIR: folder },
      log: (line) => lines.push(line),
      ...(signal !== undefined && { signal }),
    })
  } catch (error) {
    // The log of a start is of interest only now.
    throw new Error(`The product did not start: ${String(error)}\n${lines.join('\n')}`, { cause: error })
  }
}
