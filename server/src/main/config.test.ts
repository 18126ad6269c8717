import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const required = {
  DATABASE_URL: 'postgres://candela@127.0.0.1:5432/candela',
  GATEWAY_ADDRESS: address('a'),
  USDT_ADDRESS: address('B'),
  HASH_ADDRESS: address('c'),
  WJU_ADDRESS: address('d'),
  HASH_PAIR_ADDRESS: address('e'),
  JU_PAIR_ADDRESS: address('f'),
  START_BLOCK: '12',
}
const production = {
  ...required,
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://app.example.org',
  RPC_URLS: 'https://rpc.example.org,https://rpc2.example.org',
}

describe('defaults', () => {
  test('of development: this machine, plain routes beside the gateway', () => {
    const config = readConfig(required)
    expect(config).toMatchObject({
      mode: 'development',
      http: { host: '127.0.0.1', port: 8210, publicOrigin: 'http://127.0.0.1:8210', envelopeOnly: false },
      signIn: { domain: '127.0.0.1:8210', uri: 'http://127.0.0.1:8210' },
      network: { chainId: '0x33450', rpcUrls: ['http://127.0.0.1:8545'], blockExplorerUrls: [] },
      chain: {
        nodes: [{ url: 'http://127.0.0.1:8545', provider: null }],
        usdt: address('b'),
        startBlock: 12,
        confirmations: { normal: 12, large: 30, largeAbove: 10_000n * 10n ** 18n },
      },
    })
  })

  test('of production: envelopes only, and the RPC provider’s URL stays here', () => {
    const config = readConfig({ ...production, RPC_URL: 'https://provider.example.org/v1/secret-key' })
    expect(config.http.envelopeOnly).toBe(true)
    expect(config.signIn).toEqual({ domain: 'app.example.org', uri: 'https://app.example.org' })
    expect(config.network.rpcUrls).toEqual(['https://rpc.example.org', 'https://rpc2.example.org'])
    expect(JSON.stringify(config.network)).not.toContain('secret-key')
  })

  test('of production, where nothing else is set: the chain’s own public RPC and explorer', () => {
    const { network, chain } = readConfig({ ...production, RPC_URLS: '', RPC_URL: 'https://provider.example.org/key' })
    expect(network.rpcUrls).toEqual(['https://rpc.juchain.org'])
    expect(network.blockExplorerUrls).toEqual(['https://juscan.io'])
    expect(chain.nodes[0].url).toBe('https://provider.example.org/key')
    expect(readConfig({ ...production, EXPLORER_URL: 'off' }).network.blockExplorerUrls).toEqual([])
    const own = 'https://explorer.example.org'
    expect(readConfig({ ...required, EXPLORER_URL: own }).network.blockExplorerUrls).toEqual([own])
  })

  test('wallets on other devices are offered when a project is set', () => {
    expect(readConfig(production).walletConnect).toBeNull()
    const projectId = 'ab'.repeat(16)
    const set = { ...production, WALLETCONNECT_PROJECT_ID: projectId }
    expect(readConfig(set).walletConnect).toEqual({ projectId, relayUrl: 'wss://relay.walletconnect.org' })
    const relayUrl = 'wss://relay.example.org'
    expect(readConfig({ ...set, WALLETCONNECT_RELAY_URL: relayUrl }).walletConnect?.relayUrl).toBe(relayUrl)
    expect(() => readConfig({ ...set, WALLETCONNECT_PROJECT_ID: 'mine' })).toThrow('WALLETCONNECT_PROJECT_ID')
    expect(() => readConfig({ ...set, WALLETCONNECT_RELAY_URL: relayUrl.slice(6) })).toThrow('WALLETCONNECT_RELAY_URL')
  })

  test('one process does everything, and asks Postgres for all at one address', () => {
    const { role, database, lease_ms } = readConfig(required)
    const url = required.DATABASE_URL
    expect([role, lease_ms, database]).toEqual(['all', 3_000, { url, directUrl: url, isPrepared: true, pool: 12 }])
    const direct = 'postgres://candela@127.0.0.1:5433/candela'
    const behindProxy = { ...required, DATABASE_DIRECT_URL: direct, DATABASE_PREPARED: 'off' }
    expect(readConfig(behindProxy).database).toMatchObject({ url, directUrl: direct, isPrepared: false })
  })

  test('the app calls its own origin, unless it was built for another one', () => {
    expect(readConfig(production).http.apiOrigin).toBeUndefined()
    const apiOrigin = 'https://api.example.org'
    expect(readConfig({ ...production, VITE_API_BASE: apiOrigin }).http.apiOrigin).toBe(apiOrigin)
  })

  test('pictures come from the page’s own origin, and from those that are named', () => {
    expect(readConfig(production).http.imageOrigins).toEqual([])
    const IMAGE_ORIGINS = 'https://a.example, https://b.example:8443'
    expect(readConfig({ ...production, IMAGE_ORIGINS }).http.imageOrigins).toEqual([
      'https://a.example',
      'https://b.example:8443',
    ])
  })

  test('follow what is set: ports, envelope, confirmations', () => {
    const config = readConfig({ ...required, PORT: '9000', RPC_PORT: '9545', ENVELOPE: 'on', CONFIRMATIONS: '2' })
    expect(config.http).toMatchObject({ port: 9000, publicOrigin: 'http://127.0.0.1:9000', envelopeOnly: true })
    expect(config.chain).toMatchObject({
      nodes: [{ url: 'http://127.0.0.1:9545' }],
      confirmations: { normal: 2, large: 30 },
    })
    expect(readConfig({ ...production, ENVELOPE: 'off' }).http.envelopeOnly).toBe(false)
  })
})

describe('a wrong setting is named in one line', () => {
  const wrong: [Record<string, string | undefined>, string][] = [
    [
      { ...production, CLOCK_OFFSET_FILE: 'moved' },
      'CLOCK_OFFSET_FILE is set: in production nothing may move the clock',
    ],
    [{ ...required, DATABASE_URL: undefined }, 'DATABASE_URL is not set: it must be a Postgres URL'],
    [{ ...required, DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a URL that begins with postgres://'],
    [{ ...required, REDIS_URL: 'http://x' }, 'REDIS_URL must be a URL that begins with redis:// or rediss://'],
    [{ ...required, GATEWAY_ADDRESS: '' }, 'GATEWAY_ADDRESS is not set'],
    [{ ...required, GATEWAY_ADDRESS: '0x12' }, 'GATEWAY_ADDRESS must be an address: 0x and 40 hexadecimal digits'],
    [{ ...required, START_BLOCK: 'soon' }, 'START_BLOCK must be a whole number'],
    [{ ...required, PORT: '0' }, 'PORT must be at least 1'],
    [{ ...required, PORT: '65536' }, 'PORT must be at most 65535'],
    [{ ...required, PORT: '80a' }, 'PORT must be a whole number'],
    [{ ...required, NODE_ENV: 'prod' }, 'NODE_ENV must be development, test or production'],
    [{ ...required, ENVELOPE: 'yes' }, 'ENVELOPE must be "on" or "off"'],
    [{ ...required, LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be a pino level, such as info'],
    [{ ...required, LARGE_ABOVE_USDT: '1e4' }, 'LARGE_ABOVE_USDT must be an amount in USDT, such as 10000'],
    [{ ...required, CONFIRMATIONS: '40' }, 'CONFIRMATIONS_LARGE must be at least CONFIRMATIONS'],
    [
      { ...required, RPC_URL: 'https://a.example.org,ws://b' },
      'RPC_URL must begin with http:// or https://, or be such URLs',
    ],
    [
      { ...production, RPC_URL: 'https://a.example.org/x,https://a.example.org:444/y' },
      'RPC_URL must name nodes on different hosts',
    ],
    [
      { ...required, RPC_URL: 'https://a.example.org,https://b.example.org', RPC_PROVIDERS: 'ours' },
      'RPC_PROVIDERS must name one provider for each node',
    ],
    [{ ...required, RPC_URLS: 'ws://x' }, 'RPC_URLS must be URLs separated by commas'],
    [{ ...required, TRUST_PROXY: '2' }, 'TRUST_PROXY must be "off", or addresses or networks separated by commas'],
    [{ ...required, PUBLIC_ORIGIN: 'https://app.example.org/path' }, 'PUBLIC_ORIGIN must be an origin without a path'],
    // Wallets and the page compare the domain of a login as browsers write it.
    [{ ...required, PUBLIC_ORIGIN: 'https://App.example.org' }, 'PUBLIC_ORIGIN must be an origin without a path'],
    [{ ...required, PUBLIC_ORIGIN: 'https://app.example.org:443' }, 'PUBLIC_ORIGIN must be an origin without a path'],
    [{ ...production, PUBLIC_ORIGIN: undefined }, 'PUBLIC_ORIGIN is not set'],
    [{ ...production, VITE_API_BASE: 'https://api.example.org/' }, 'VITE_API_BASE must be an origin without a path'],
    [
      { ...required, IMAGE_ORIGINS: 'https://a.example,http://b.example' },
      'IMAGE_ORIGINS must be origins separated by',
    ],
    [{ ...required, EXPLORER_URL: 'juscan.io' }, 'EXPLORER_URL must be "off", or begin with http:// or https://'],
  ]
  for (const [env, expected] of wrong) {
    test(expected, () => {
      const failure = (() => {
        try {
          readConfig(env)
          return undefined
        } catch (error) {
          return error
        }
      })()
      expect(failure).toBeInstanceOf(ConfigError)
      const { message } = failure as ConfigError
      expect(message.startsWith(expected)).toBe(true)
      expect(message).not.toContain('\n')
    })
  }
})

test('.env.example documents every variable that is read, and no other', () => {
  const example = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8')
  const documented = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
  const source = readFileSync(join(import.meta.dirname, 'config.ts'), 'utf8')
  const read = [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name)
  expect(read.length).toBeGreaterThan(30)
  // Read by the launcher, by the operator's commands and by what migrates alone.
  const elsewhere = [
    'SEED_HISTORY',
    'CHAIN',
    'OPERATOR_KEY_FILE',
    'OPERATOR_KEY',
    'CANDELA_KEY_FILE',
    'DATABASE_OWNER_URL',
  ]
  expect(new Set(documented)).toEqual(new Set([...read, ...elsewhere]))
  expect(documented).toHaveLength(read.length + elsewhere.length)
})
