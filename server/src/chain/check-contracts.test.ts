import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patientClient, startTestChain, type TestChain, testNetwork } from '@candela/testing/chain/test-chain'
import { type ContractSettings, differenceFromContracts } from './check-contracts.ts'
import { createChainClient } from './client.ts'

let chain: TestChain
let right: ContractSettings

beforeAll(async () => {
  chain = await startTestChain()
  const amount = 1_000n * WHOLE_UNIT
  const pairs = await chain.openPairs({ hash: amount, hashUsdt: amount, ju: amount, juUsdt: amount })
  right = { gateway: chain.gateway, usdt: chain.usdt, hash: chain.hash, wju: chain.wju, ...pairs }
})
afterAll(() => chain?.stop())

const compare = (change: Partial<ContractSettings> = {}) =>
  differenceFromContracts(createChainClient({ network: testNetwork, rpcUrl: chain.url, ...patientClient }), {
    ...right,
    ...change,
  })

test('settings that the contracts confirm have no difference', async () => {
  expect(await compare()).toBeNull()
})

describe('an address of another contract is named, with what the contract has', () => {
  test.each([
    ['usdt', 'hash', /^USDT_ADDRESS is 0x\w{40}, but usdt\(\) of the payment contract is 0x/],
    ['hash', 'wju', /^HASH_ADDRESS is 0x\w{40}, but token\(\) of the payment contract is 0x/],
    ['hashPair', 'juPair', /^HASH_PAIR_ADDRESS is 0x\w{40}, but pair\(\) of the payment contract is 0x/],
    ['wju', 'hash', /^WJU_ADDRESS is 0x\w{40}, but WETH\(\) of the contract's swap router 0x\w{40} is 0x/],
    [
      'juPair',
      'hashPair',
      /^JU_PAIR_ADDRESS is 0x\w{40}, but the pair of WJU and USDT at the contract's swap router 0x/,
    ],
    ['gateway', 'usdt', /^GATEWAY_ADDRESS 0x\w{40}: the contract there does not answer swapRouter\(\)/],
  ] as const)('%s', async (setting, other, difference) => {
    expect(await compare({ [setting]: right[other] })).toMatch(difference)
  })
})

test('an address without a contract', async () => {
  const nobody: Hex = `0x${'9'.repeat(40)}`
  expect(await compare({ gateway: nobody })).toBe(`GATEWAY_ADDRESS ${nobody}: there is no contract at this address`)
  expect(await compare({ juPair: nobody })).toMatch(/^JU_PAIR_ADDRESS is 0x9{40}, but/)
})

/** The program of a contract that answers every call with this number. */
const answering = (number: number | Hex): Hex =>
  `0x7f${(typeof number === 'number' ? number.toString(16) : number.slice(2)).padStart(64, '0')}60005260206000f3`

async function whileCodeIs(address: Hex, code: Hex, look: () => Promise<void>): Promise<void> {
  const before = await chain.client.getCode({ address })
  await chain.client.setCode({ address, bytecode: code })
  await look()
  await chain.client.setCode({ address, bytecode: before ?? '0x' })
}

test.each(['usdt', 'hash', 'wju'] as const)('decimals of %s that are not 18', async (token) => {
  await whileCodeIs(right[token], answering(6), async () => {
    expect(await compare()).toBe(`${token.toUpperCase()}_ADDRESS ${right[token]}: decimals() must be 18, but is 6`)
  })
})

test.each([
  ['hashPair', 'HASH_PAIR_ADDRESS'],
  ['juPair', 'JU_PAIR_ADDRESS'],
] as const)('a %s that has USDT on both sides', async (pair, setting) => {
  await whileCodeIs(right[pair], answering(right.usdt), async () => {
    expect(await compare()).toMatch(new RegExp(`^${setting} ${right[pair]}: its two sides must be`))
  })
})

test('a node that does not answer says nothing about the contracts', async () => {
  const client = createChainClient({ network: testNetwork, rpcUrl: 'http://127.0.0.1:9', retries: 0 })
  await expect(differenceFromContracts(client, right)).rejects.toMatchObject({
    name: 'RpcError',
    failure: 'unreachable',
  })
})
