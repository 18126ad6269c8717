import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { encodeErrorResult, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { expect, test } from 'vitest'
import { ask, RpcError } from './ask.ts'
import { chainOf, createChainClient } from './client.ts'
import { confirmationsNeeded } from './crediting/confirmations.ts'
import { bloomMayHold } from './follow/read/read-chain.ts'
import { testNetwork } from '@candela/testing/chain/test-chain'

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

type Answer = { status: number; location?: string; body?: object }

/** A node on this machine that answers each request as told, and what it was asked. */
async function startNode(answer: (path: string, method: string) => Answer) {
  const asked: string[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url}`)
    const calls = JSON.parse(await text(request)) as { id: number; method: string }[]
    const answers = calls.map(({ id, method }) => ({ id, ...answer(request.url ?? '', method) }))
    const { status = 200, location } = answers[0] ?? {}
    response.writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) })
    response.end(JSON.stringify(answers.map(({ id, body }) => ({ jsonrpc: '2.0', id, ...body }))))
  }
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
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

test('URLs that a contract names for fetching more are not requested', async () => {
  const contract = `0x${'c0'.repeat(20)}` as const
  let url = ''
  const abi = parseAbi([
    'error OffchainLookup(address sender, string[] urls, bytes data, bytes4 callback, bytes extra)',
  ])
  await using node = await startNode((_path, method) => {
    if (method === 'eth_chainId') return { status: 200, body: { result: testNetwork.chainId } }
    const args = [contract, [`${url}/lure/{sender}/{data}`], '0x', '0x12345678', '0x'] as const
    const data = encodeErrorResult({ abi, errorName: 'OffchainLookup', args })
    return { status: 200, body: { error: { code: 3, message: 'execution reverted', data } } }
  })
  url = node.url
  const client = createChainClient({ network: testNetwork, rpcUrl: url, retries: 0 })
  await expect(client.call({ to: contract, data: '0x1626ba7e' })).rejects.toThrow('execution reverted')
  expect(node.asked).toEqual(['POST /'])
})

test('a redirect to another node is not followed', async () => {
  await using node = await startNode((path) =>
    path === '/rpc' ? { status: 307, location: '/elsewhere' } : { status: 200, body: { result: '0x7' } },
  )
  const client = createChainClient({ network: testNetwork, rpcUrl: `${node.url}/rpc`, retries: 0 })
  await expect(ask('latest block', () => client.getBlockNumber())).rejects.toMatchObject({ failure: 'unreachable' })
  expect(node.asked).toEqual(['POST /rpc'])
})

test('the head is asked for each time, so that a newer block is never hidden', async () => {
  let head = 7
  await using node = await startNode((_path, method) => ({
    status: 200,
    body: { result: method === 'eth_chainId' ? testNetwork.chainId : `0x${(head++).toString(16)}` },
  }))
  const client = createChainClient({ network: testNetwork, rpcUrl: node.url, retries: 0 })
  expect([await client.getBlockNumber(), await client.getBlockNumber()]).toEqual([7n, 8n])
})

test('the chain of the node is checked with every answer, by one question for each batch', async () => {
  let chainId = '0x1'
  const methods: string[] = []
  await using node = await startNode((_path, method) => {
    methods.push(method)
    if (method === 'eth_sendRawTransaction') return { status: 200, body: { result: keccak256('0x01') } }
    return { status: 200, body: { result: method === 'eth_chainId' ? chainId : '0x7' } }
  })
  const client = createChainClient({ network: testNetwork, rpcUrl: node.url, retries: 0 })
  const asked = () => Promise.all([client.getBlockNumber(), client.getGasPrice(), client.sendRawTransaction(signed)])
  const signed = { serializedTransaction: '0x01' } as const
  await expect(ask('three figures', asked)).rejects.toMatchObject({
    failure: 'wrongChain',
    message: 'three figures: the node is on chain 1, not 210000',
  })
  chainId = testNetwork.chainId
  expect(await ask('three figures', asked)).toEqual([7n, 7n, keccak256('0x01')])
  expect(methods.filter((method) => method === 'eth_chainId')).toHaveLength(2)
  // More than fit into one batch: each batch has the question.
  node.asked.length = 0
  methods.length = 0
  await Promise.all(Array.from({ length: 250 }, () => client.request({ method: 'eth_blockNumber' })))
  expect(methods.filter((method) => method === 'eth_chainId').length).toBeGreaterThanOrEqual(node.asked.length)
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
