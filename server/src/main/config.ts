import { isIP } from 'node:net'
import path from 'node:path'
import { CHAIN_ID_HEX, type NetworkConfig, type WalletConnectConfig } from '@candela/protocol/chain/network'
import { parseAmount } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { z } from 'zod'
import { nodeAddresses } from '../chain/nodes/addresses.ts'
import type { ChainSettings } from '../chain/settings.ts'
import type { KeySource } from '../chain/signer.ts'
import { Secret } from '../kernel/secret.ts'

/** The chain's own, as chain 210000 is registered. */
const PUBLIC_RPC_URL = 'https://rpc.juchain.org'
const EXPLORER_URL = 'https://juscan.io'

/** The proxies of `deploy/` send nothing to a server that has not been ready for 2.5 s. */
const DRAIN_MS = 4_000

/** A setting that is missing or wrong. Its message is one line that names the variable and says what is wanted. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

const port = wholeNumber(1, 65_535)

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
  .transform((text) => text.toLowerCase() as `0x${string}`)

const onOff = z.enum(['on', 'off'], 'must be "on" or "off"').transform((text) => text === 'on')

const httpUrl = z
  .string()
  .refine((text) => isUrl(text, ['http:', 'https:']), 'must be a URL that begins with http:// or https://')

const origin = httpUrl.refine(
  (text) => new URL(text).origin === text,
  'must be an origin without a path, such as https://app.example.org',
)

const usdtAmount = z.string().transform((text, context) => {
  const parsed = parseAmount(text)
  if (parsed.ok) return parsed.amount
  context.addIssue({ code: 'custom', message: 'must be an amount in USDT, such as 10000' })
  return z.NEVER
})

const trustProxy = z.string().transform((text, context): false | string[] => {
  if (text === 'off') return false
  const parts = text.split(',').map((part) => part.trim())
  if (parts.every((part) => isIP(part.replace(/\/[0-9]{1,3}$/, '')) !== 0)) return parts
  context.addIssue({ code: 'custom', message: 'must be "off", or addresses or networks separated by commas' })
  return z.NEVER
})

const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a private key: 0x and 64 hexadecimal digits')
  .transform((text) => new Secret(text))

/** Every variable that the server reads, in the order of `.env.example`. Empty means unset. */
const environment = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'must be development, test or production')
    .default('development'),
  ROLE: z.enum(['api', 'worker', 'all'], 'must be api, worker or all').default('all'),
  PORT: port.default(8210),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_ORIGIN: origin.optional(),
  VITE_API_BASE: origin.optional(),
  IMAGE_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (origins) => origins.every((each) => isUrl(each, ['https:']) && new URL(each).origin === each),
      'must be origins separated by commas, such as https://pictures.example.org',
    )
    .default([]),
  WEB_DIST: z.string().optional(),
  ENVELOPE: onOff.optional(),
  TRUST_PROXY: trustProxy.default(false),
  RATE_LIMIT_SCALE: wholeNumber(1, 1_000_000).default(1),
  DRAIN_MS: wholeNumber(0, 60_000).optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'must be a pino level, such as info')
    .default('info'),
  METRICS_PORT: port.optional(),
  EXIT_WITH_PARENT: onOff.default(false),
  CLOCK_OFFSET_FILE: z.string().optional(),

  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z
    .string('is not set: it must be a Postgres URL (`npm start` brings its own database)')
    .refine((text) => isUrl(text, ['postgres:', 'postgresql:']), 'must be a URL that begins with postgres://'),
  DATABASE_DIRECT_URL: z
    .string()
    .refine((text) => isUrl(text, ['postgres:', 'postgresql:']), 'must be a URL that begins with postgres://')
    .optional(),
  DATABASE_READ_URL: z
    .string()
    .refine((text) => isUrl(text, ['postgres:', 'postgresql:']), 'must be a URL that begins with postgres://')
    .optional(),
  DATABASE_PREPARED: onOff.default(true),
  DATABASE_POOL: wholeNumber(4, 200).default(12),
  REDIS_URL: z
    .string()
    .refine((text) => isUrl(text, ['redis:', 'rediss:']), 'must be a URL that begins with redis:// or rediss://')
    .optional(),

  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be the id of a project: 32 hexadecimal digits')
    .optional(),
  WALLETCONNECT_RELAY_URL: z
    .string()
    .refine((text) => isUrl(text, ['wss:', 'ws:']), 'must be a URL that begins with wss:// or ws://')
    .default('wss://relay.walletconnect.org'),

  RPC_PORT: port.default(8545),
  RPC_URL: z.string().optional(),
  RPC_PROVIDERS: z.string().optional(),
  RPC_MAX_BATCH: wholeNumber(1, 1000).optional(),
  RPC_MAX_RANGE: wholeNumber(1, 2000).optional(),
  RPC_MAX_PER_SECOND: wholeNumber(1, 100_000).optional(),
  RPC_STATES_KEPT: wholeNumber(16, 1_000_000).default(100),
  RPC_URLS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((urls) => urls.every((url) => isUrl(url, ['http:', 'https:'])), 'must be URLs separated by commas')
    .optional(),
  CHAIN_NAME: z.string().min(1).default('JuChain'),
  NATIVE_NAME: z.string().min(1).default('JU'),
  NATIVE_SYMBOL: z
    .string()
    .regex(/^\w{2,6}$/, 'must be two to six letters')
    .default('JU'),
  EXPLORER_URL: z
    .string()
    .refine(
      (text) => text === 'off' || isUrl(text, ['http:', 'https:']),
      'must be "off", or begin with http:// or https://',
    )
    .optional(),

  GATEWAY_ADDRESS: address,
  USDT_ADDRESS: address,
  HASH_ADDRESS: address,
  HASH_PAIR_ADDRESS: address,
  JU_PAIR_ADDRESS: address,
  WJU_ADDRESS: address,
  START_BLOCK: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  CONFIRMATIONS: wholeNumber(1, 1000).default(12),
  CONFIRMATIONS_LARGE: wholeNumber(1, 1000).default(30),
  LARGE_ABOVE_USDT: usdtAmount.default(10_000n * WHOLE_UNIT),
  POLL_INTERVAL_MS: wholeNumber(50, 60_000).default(1_000),
  PRICE_INTERVAL_S: wholeNumber(1, 60).default(10),
  RECONCILE_INTERVAL_S: wholeNumber(1, 300).default(60),
  LEASE_MS: wholeNumber(250, 60_000).default(3_000),
  MAX_HEAD_AGE_S: wholeNumber(1, 86_400).default(120),
  MAX_LAG_BLOCKS: wholeNumber(1, 100_000).default(30),

  PAYER_KEY: privateKey.optional(),
  PAYER_KEY_FILE: z.string().optional(),
  ATTESTER_KEY: privateKey.optional(),
  ATTESTER_KEY_FILE: z.string().optional(),
})

export type Config = ReturnType<typeof readConfig>

/** Reads the environment. Throws a `ConfigError` for the first variable that is missing or wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0])
    throw new ConfigError(set[name] === undefined ? `${name} ${missing(issue)}` : `${name} ${issue?.message}`)
  }
  const values = parsed.data
  const production = values.NODE_ENV === 'production'
  const nodes = nodeAddresses(
    values.RPC_URL ?? `http://127.0.0.1:${values.RPC_PORT}`,
    values.RPC_PROVIDERS,
    production ? 'hostname' : 'host',
  )
  if (typeof nodes === 'string') throw new ConfigError(nodes)
  const [{ url: rpcUrl }] = nodes
  if (production && values.PUBLIC_ORIGIN === undefined) {
    throw new ConfigError('PUBLIC_ORIGIN is not set: in production it must be the origin that people open')
  }
  // Everything that is due or expires follows from the clock.
  if (production && values.CLOCK_OFFSET_FILE !== undefined) {
    throw new ConfigError('CLOCK_OFFSET_FILE is set: in production nothing may move the clock')
  }
  if (values.CONFIRMATIONS_LARGE < values.CONFIRMATIONS) {
    throw new ConfigError('CONFIRMATIONS_LARGE must be at least CONFIRMATIONS')
  }
  const publicOrigin = values.PUBLIC_ORIGIN ?? `http://127.0.0.1:${values.PORT}`
  const chain: ChainSettings = {
    nodes,
    rpcLimits: { batch: values.RPC_MAX_BATCH, perSecond: values.RPC_MAX_PER_SECOND },
    maxRange: values.RPC_MAX_RANGE,
    gateway: values.GATEWAY_ADDRESS,
    usdt: values.USDT_ADDRESS,
    hash: values.HASH_ADDRESS,
    wju: values.WJU_ADDRESS,
    hashPair: values.HASH_PAIR_ADDRESS,
    juPair: values.JU_PAIR_ADDRESS,
    startBlock: values.START_BLOCK,
    confirmations: {
      normal: values.CONFIRMATIONS,
      large: values.CONFIRMATIONS_LARGE,
      largeAbove: values.LARGE_ABOVE_USDT,
      statesKept: values.RPC_STATES_KEPT,
    },
    pollInterval_ms: values.POLL_INTERVAL_MS,
    priceInterval_ms: values.PRICE_INTERVAL_S * 1_000,
    reconcileInterval_ms: values.RECONCILE_INTERVAL_S * 1_000,
    maxHeadAge_s: values.MAX_HEAD_AGE_S,
    maxLag_blocks: values.MAX_LAG_BLOCKS,
  }
  const network: NetworkConfig = {
    chainId: CHAIN_ID_HEX,
    chainName: values.CHAIN_NAME,
    nativeCurrency: { name: values.NATIVE_NAME, symbol: values.NATIVE_SYMBOL, decimals: 18 },
    // The server's own URL may carry a key of the RPC provider, so production never hands it to wallets by default.
    rpcUrls: values.RPC_URLS ?? [production ? PUBLIC_RPC_URL : rpcUrl],
    blockExplorerUrls: explorersOf(values.EXPLORER_URL ?? (production ? EXPLORER_URL : 'off')),
  }
  const walletConnect: WalletConnectConfig | null =
    values.WALLETCONNECT_PROJECT_ID === undefined
      ? null
      : { projectId: values.WALLETCONNECT_PROJECT_ID, relayUrl: values.WALLETCONNECT_RELAY_URL }
  return {
    mode: values.NODE_ENV,
    /** The work of this process: answer calls, run the loops and periodic tasks when it has their lease, or both. */
    role: values.ROLE,
    /** How long after a server's last sign of life another one takes its loops over, by the clock of the database. */
    lease_ms: values.LEASE_MS,
    /** Stop as soon as standard input closes: a launcher that dies takes its server along. */
    exitWithParent: values.EXIT_WITH_PARENT,
    logLevel: values.LOG_LEVEL,
    /** Moves the clock of a development installation. */
    clockOffsetFile: values.CLOCK_OFFSET_FILE === undefined ? undefined : path.resolve(values.CLOCK_OFFSET_FILE),
    dataDir: path.resolve(values.DATA_DIR),
    http: {
      host: values.HOST,
      port: values.PORT,
      /** Where people reach the app, such as "https://app.example.org". */
      publicOrigin,
      /** Where the built app sends its calls; undefined for its own origin. */
      apiOrigin: values.VITE_API_BASE,
      /** Where the page may show pictures from, besides its own origin. */
      imageOrigins: values.IMAGE_ORIGINS,
      /** True refuses plain routes: only the gateway, health and static files answer. */
      envelopeOnly: values.ENVELOPE ?? production,
      /** Addresses or networks of the proxies that may tell us the client's address; false trusts none. */
      trustProxy: values.TRUST_PROXY,
      rateLimitScale: values.RATE_LIMIT_SCALE,
      /** How long the server says that it is not ready, and answers all the same, before it closes. */
      drain_ms: values.DRAIN_MS ?? (production ? DRAIN_MS : 0),
      /** The built web app; undefined serves none. */
      webDist: values.WEB_DIST === undefined ? undefined : path.resolve(values.WEB_DIST),
      metricsPort: values.METRICS_PORT,
    },
    database: {
      url: values.DATABASE_URL,
      /** For what needs a session of Postgres: migrations, and the queue of periodic tasks. */
      directUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
      /** Where standbys answer reads; undefined: the primary answers all of them. */
      readUrl: values.DATABASE_READ_URL,
      /** Whether Postgres keeps what it parsed of a statement that comes again. */
      isPrepared: values.DATABASE_PREPARED,
      /** Most connections for calls. */
      pool: values.DATABASE_POOL,
    },
    /** Where servers share rate limits and used handshakes; undefined: each has its own. May hold a password. */
    redisUrl: values.REDIS_URL,
    /** Named in EIP-4361 sign-in messages. */
    signIn: { domain: new URL(publicOrigin).host, uri: publicOrigin },
    network,
    /** For wallets on another device; null: none are offered. */
    walletConnect,
    chain,
    /** Where the key that signs payouts is; null for a server that pays nothing out. */
    payerKey: keyOf('PAYER_KEY', values.PAYER_KEY, values.PAYER_KEY_FILE),
    /** Where the key that signs attestations is; null for a server that attests nothing. */
    attesterKey: keyOf('ATTESTER_KEY', values.ATTESTER_KEY, values.ATTESTER_KEY_FILE),
  }
}

const explorersOf = (url: string): string[] => (url === 'off' ? [] : [url])

function keyOf(name: string, value: Secret | undefined, file: string | undefined): KeySource | null {
  if (value !== undefined && file !== undefined) {
    throw new ConfigError(`${name} and ${name}_FILE are both set: the key must be in one place`)
  }
  if (value !== undefined) return { kind: 'value', value }
  return file === undefined ? null : { kind: 'file', path: path.resolve(file) }
}

function missing(issue: { message: string } | undefined): string {
  return issue?.message.startsWith('is not set') === true ? issue.message : 'is not set'
}

function isUrl(text: string, protocols: string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}
