import { describe, expect, test } from 'vitest'
import { readLauncherSettings } from './settings.ts'

const contracts = Object.fromEntries(
  ['GATEWAY', 'USDT', 'HASH', 'WJU', 'HASH_PAIR', 'JU_PAIR'].map((name, at) => [
    `${name}_ADDRESS`,
    `0x${String(at + 1).repeat(40)}`,
  ]),
)

const explorers = (env: Record<string, string>) => readLauncherSettings(env).config.network.blockExplorerUrls

describe('the explorer', () => {
  test('of a development chain is none, also in production', () => {
    expect(explorers({})).toEqual([])
    expect(explorers({ NODE_ENV: 'production' })).toEqual([])
  })

  test('of the real network is the chain’s own, unless another one is set', () => {
    const real = { ...contracts, START_BLOCK: '1', RPC_URL: 'https://rpc.example.org' }
    expect(explorers(real)).toEqual(['https://juscan.io'])
    expect(explorers({ ...real, NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://app.example.org' })).toEqual([
      'https://juscan.io',
    ])
    expect(explorers({ ...real, EXPLORER_URL: 'off' })).toEqual([])
  })
})
