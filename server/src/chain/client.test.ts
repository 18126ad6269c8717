import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { encodeErrorResult, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { expect, test } from 'vitest'
import { ask, chainOf, createChainClient, RpcError } from './client.ts'
import { confirmationsNeeded } from './credit/confirmations.ts'
import { bloomMayHold } from './follow/read-chain.ts'
import { testNetwork } from '../../test/testing/chain.ts'

test('the chain as viem wants it, with the explorer where there is one', () => {
  expect(chainOf(testNetwork)).toMatchObject({ id: 210_000, name: 'Test chain', nativeCurrency: { symbol: 'JU' } })
  expect(chainOf(testNetwork).blockExplorers).toBeUndefined()
  const url = 'https://juscan.io'
  const explored = chainOf({ ...testNetwork, blockExplorerUrls: [url] })
  expect(explored.blockExplorers?.default).toEqual({ name: 'juscan.io', url })
  expect(() => chainOf({ ...testNetwork, chainId: '210000' })).toThrow('not a hexadecimal chain id: "210000"')
})

test('a node that does not answer in time is told apart, and its URL is never shown', async () => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`
  const client = createChainClient({ network: testNetwork, rpcUrl, timeout_ms: 50, retries: 0 })
  const failure: unknown = await ask('latest block', () => client.getBlockNumber()).catch((error: unknown) => error)
  server.closeAllConnections()
  server.close()
  expect(failure).toBeInstanceOf(RpcError)
  expect(failure).toMatchObject({ failure: 'timeout', message: 'latest block: no answer in time' })
  expect(JSON.stringify(failure)).not.toContain('secret-key')
})

/** A node on this machine that answers each request as told, and what it was asked. */
async function startNode(answer: (path: string) => { status: number; location?: string; body?: unknown }) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const { status, location, body } = answer(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...(body as object) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a contract that names addresses to fetch from is not followed there', async () => {
  const contract = `0x${'c0'.repeat(20)}` as const
  let url = ''
  const abi = parseAbi([
    'error OffchainLookup(address sender, string[] urls, bytes data, bytes4 callback, bytes extra)',
  ])
  await using node = await startNode(() => {
    const args = [contract, [`${url}/lure/{sender}/{data}`], '0x', '0x12345678', '0x'] as const
    const data = encodeErrorResult({ abi, errorName: 'OffchainLookup', args })
    return { status: 200, body: { error: { code: 3, message: 'execution reverted', data } } }
  })
  url = node.url
  const client = createChainClient({ network: testNetwork, rpcUrl: url, retries: 0, batchSize: 1 })
  await expect(client.call({ to: contract, data: '0x1626ba7e' })).rejects.toThrow('execution reverted')
  expect(node.asked).toEqual(['POST /'])
})

test('a node that sends us elsewhere is not followed there', async () => {
  await using node = await startNode((path) =>
    path === '/rpc' ? { status: 307, location: '/elsewhere' } : { status: 200, body: { result: '0x7' } },
  )
  const client = createChainClient({ network: testNetwork, rpcUrl: `${node.url}/rpc`, retries: 0, batchSize: 1 })
  await expect(ask('latest block', () => client.getBlockNumber())).rejects.toMatchObject({ failure: 'unreachable' })
  expect(node.asked).toEqual(['POST /rpc'])
})

test('a payment of unknown worth waits as long as a large one, and the limit itself is not large', () => {
  const rule = { normal: 12, large: 30, largeAbove: 10_000n }
  expect([0n, 10_000n, 10_001n, null].map((worth) => confirmationsNeeded(rule, worth))).toEqual([12, 12, 30, 30])
})

/** The filter of a block with these values, computed as the protocol says and not as the code does. */
function bloomOf(values: readonly Hex[]): Hex {
  let filter = 0n
  for (const value of values) {
    const hash = keccak256(value).slice(2)
    for (const pair of [0, 4, 8]) filter |= 1n << (BigInt(`0x${hash.slice(pair, pair + 4)}`) & 2047n)
  }
  return `0x${filter.toString(16).padStart(512, '0')}`
}

test('a bloom filter admits what was put in, and an empty, missing or full one is no proof', () => {
  const value = fc.uint8Array({ minLength: 20, maxLength: 32 }).map((bytes) => toHex(bytes))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), value, (inside, other) => {
      const bloom = bloomOf(inside)
      expect(bloomMayHold(bloom, inside)).toBe(true)
      const isCovered = (BigInt(bloom) & BigInt(bloomOf([other]))) === BigInt(bloomOf([other]))
      expect(bloomMayHold(bloom, [...inside, other])).toBe(isCovered)
    }),
  )
  const address = `0x${'1'.repeat(40)}` as const
  for (const bloom of [`0x${'0'.repeat(512)}`, '0x', `0x${'f'.repeat(512)}`] as const) {
    expect(bloomMayHold(bloom, [address])).toBe(false)
  }
})
