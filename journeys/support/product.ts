import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Deployment } from '@candela/devnet/deploy'
import { type Devnet, startDevnet } from '@candela/devnet/devnet'
import { freePort } from '@candela/devnet/processes'

/** The whole product, running. */
export type Product = {
  /** Where people open it. */
  origin: string
  rpcUrl: string
  databaseUrl: string
  contracts: Deployment
  stop: () => Promise<void>
}

/** Blocks on top of a payment until it counts: enough that a person sees them being counted, at one a second. */
export const CONFIRMATIONS = 8

const settings = {
  CONFIRMATIONS: String(CONFIRMATIONS),
  CONFIRMATIONS_LARGE: String(CONFIRMATIONS),
  RECONCILE_INTERVAL_S: '10',
  // All browsers of a run come from one address, which is no reason to slow any of them down.
  RATE_LIMIT_SCALE: '1000',
  // A past takes time to make, and journeys count what is there.
  SEED_HISTORY: 'off',
}

/**
 * Starts database, chain, contracts, seed, web and server on free ports in a new folder. `production` refuses plain
 * routes and serves the build without the demo wallet. @throws with everything that was said when it does not start
 */
export async function startProduct(
  mode: 'development' | 'production',
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const folder = await mkdtemp(path.join(tmpdir(), 'candela-product-'))
  const clean = () => rm(folder, { recursive: true, force: true })
  try {
    const devnet = await start(mode, folder, env)
    if (devnet.deployment === undefined) throw new Error('The development chain has no contracts')
    return {
      origin: devnet.url,
      rpcUrl: devnet.rpcUrl,
      databaseUrl: devnet.databaseUrl,
      contracts: devnet.deployment,
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

async function start(
  mode: 'development' | 'production',
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Devnet> {
  const [port, rpcPort] = await Promise.all([freePort(), freePort()])
  const ports = { PORT: String(port), RPC_PORT: String(rpcPort) }
  const said: string[] = []
  try {
    return await startDevnet({
      env: { ...settings, ...env, ...ports, NODE_ENV: mode, DATA_DIR: folder },
      log: (line) => said.push(line),
    })
  } catch (error) {
    // What was said during a start is of interest only now.
    throw new Error(`The product did not start:\n${said.join('\n')}`, { cause: error })
  }
}
