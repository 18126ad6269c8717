/** Turns the environment into what the launcher does and what it tells the server. Nothing is started yet. */
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '@candela/server/main/config'
import { serviceAccount, testAccounts } from '@candela/testing/chain/accounts'
import type { ChainRules } from './chain/chain.ts'
import type { Deployment } from './deploy/deploy.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The parts to start, and how. */
export interface LauncherSettings {
  /** As the server will read it, but for addresses that are not known yet. */
  config: Config
  ownsDatabase: boolean
  ownsChain: boolean
  /** The calls that the nodes of the development chain refuse. */
  chainRules: ChainRules
  /** The past of a new development chain: days with revenue, only somebody's power, or nothing. */
  history: 'full' | 'power' | 'off'
  /** The build of the web: only the development chain's has the demo wallet. */
  webMode: 'devnet' | 'production'
  /** Where it is kept by how much time the launcher has let pass; only a development installation's may move. */
  clockOffsetFile: string | undefined
  /** The server's whole environment, once everything else runs. */
  serverEnvironment: (found: { databaseUrl?: string; deployment?: Deployment; webDist: string }) => NodeJS.ProcessEnv
}

/** Few blocks, because this chain has no other miners who might disagree. */
const chainDefaults = { CONFIRMATIONS: '2', CONFIRMATIONS_LARGE: '2', POLL_INTERVAL_MS: '500' }

/** @throws ConfigError that names the first wrong setting */
export function readLauncherSettings(environment: Environment): LauncherSettings {
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const ownsDatabase = env['DATABASE_URL'] === undefined
  const ownsChain = env['RPC_URL'] === undefined
  const defaults = {
    // No proxy sends calls elsewhere meanwhile.
    DRAIN_MS: '0',
    ...(ownsChain ? { ...chainDefaults, CHAIN_NAME: 'JuChain development' } : { EXPLORER_URL: 'https://juscan.io' }),
    ...(env['NODE_ENV'] === 'production' ? productionDefaults(env, ownsChain) : {}),
  }
  const unknownYet = {
    ...(ownsDatabase ? { DATABASE_URL: 'postgres://not-started-yet' } : {}),
    ...(ownsChain ? addresses(undefined) : {}),
  }
  const config = readConfig({ ...defaults, ...env, ...unknownYet })
  const clockOffsetFile = ownsChain && config.mode !== 'production' ? join(config.dataDir, 'clock-offset') : undefined
  return {
    config,
    ownsDatabase,
    ownsChain,
    chainRules: readRules(env['CHAIN']),
    history: readHistory(env['SEED_HISTORY']),
    webMode: ownsChain && config.mode !== 'production' ? 'devnet' : 'production',
    clockOffsetFile,
    serverEnvironment: ({ databaseUrl, deployment, webDist }) => ({
      ...defaults,
      WEB_DIST: webDist,
      ...(ownsDatabase ? withoutPostgresVariables(env) : env),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...(deployment === undefined ? {} : addresses(deployment)),
      ...(ownsChain ? { ...payerKey(env), ...attesterKey(env) } : {}),
      DATA_DIR: config.dataDir,
      ...(clockOffsetFile === undefined ? {} : { CLOCK_OFFSET_FILE: clockOffsetFile }),
      // The guard around each child does the same, and its input is not ours to close.
      EXIT_WITH_PARENT: 'off',
    }),
  }
}

/** The variables of the shell are for another Postgres than ours. */
const withoutPostgresVariables = (env: Environment) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isPostgresVariable(name)))

export const isPostgresVariable = (name: string): boolean => /^PG[A-Z]|^NODE_PG_FORCE_NATIVE$/.test(name)

function readHistory(text = 'full'): LauncherSettings['history'] {
  if (text === 'full' || text === 'power' || text === 'off') return text
  throw new ConfigError('SEED_HISTORY must be full, power or off')
}

function readRules(text = 'anvil'): ChainRules {
  if (text === 'anvil' || text === 'juchain') return text
  throw new ConfigError('CHAIN must be anvil or juchain')
}

/** The settings that a real installation has to say, and one machine knows. Broken ports are left to their own complaint. */
function productionDefaults(env: Environment, ownsChain: boolean): Record<string, string> {
  const origin = `http://127.0.0.1:${env['PORT'] ?? '8210'}`
  const rpcUrl = `http://127.0.0.1:${env['RPC_PORT'] ?? '8545'}`
  return {
    ...(URL.canParse(origin) ? { PUBLIC_ORIGIN: origin } : {}),
    // No explorer knows this chain.
    ...(ownsChain && URL.canParse(rpcUrl) ? { RPC_URLS: rpcUrl, EXPLORER_URL: 'off' } : {}),
  }
}

/** The development chain's payer, unless another key was given (for a contract with another payer). */
function payerKey(env: Environment): Record<string, string> {
  const payer = testAccounts().find(({ role }) => role === 'payer')
  if (payer === undefined || env['PAYER_KEY'] !== undefined || env['PAYER_KEY_FILE'] !== undefined) return {}
  return { PAYER_KEY: payer.privateKey }
}

/** The development chain's attester, unless another key was given. */
function attesterKey(env: Environment): Record<string, string> {
  if (env['ATTESTER_KEY'] !== undefined || env['ATTESTER_KEY_FILE'] !== undefined) return {}
  return { ATTESTER_KEY: serviceAccount('attester').privateKey }
}

function addresses(deployment: Deployment | undefined): Record<string, string> {
  const none = `0x${'0'.repeat(40)}`
  return {
    GATEWAY_ADDRESS: deployment?.gateway ?? none,
    USDT_ADDRESS: deployment?.usdt ?? none,
    HASH_ADDRESS: deployment?.hash ?? none,
    WJU_ADDRESS: deployment?.wju ?? none,
    HASH_PAIR_ADDRESS: deployment?.hashPair ?? none,
    JU_PAIR_ADDRESS: deployment?.juPair ?? none,
    START_BLOCK: String(deployment?.startBlock ?? 0),
  }
}
