import { bytesToHex, type Hex, keccak256, type RpcLog } from 'viem'
import { expect, test } from 'vitest'
import type { ChainClient } from '../../client.ts'
import { paidTopic, paymentTopic, topicOf, transferTopic } from './decode.ts'
import { type BlockHeader, chainReader } from './read-chain.ts'

const gateway: Hex = `0x${'a'.repeat(40)}`
const token: Hex = `0x${'b'.repeat(40)}`
const hash: Hex = `0x${'c'.repeat(64)}`
const block: BlockHeader = { number: 5n, hash, parentHash: `0x${'d'.repeat(64)}`, at: new Date(5_000), logsBloom: '0x' }

type Filter = { address: Hex; topics: [Hex[]] }

/** A node that answers each question about logs with these. */
function nodeWith(logs: readonly { blockHash: Hex }[]) {
  const asked: Filter[] = []
  const request = ({ params: [filter] }: { params: [Filter] }) => {
    asked.push(filter)
    return Promise.resolve(logs)
  }
  return { ...clientOf(request), asked }
}

const clientOf = (request: (call: { params: [Filter] }) => Promise<unknown>) => ({
  reader: chainReader({ request } as unknown as ChainClient, gateway, [token]),
})

test('a block of another number than was asked for is refused', async () => {
  const shown = { number: '0x6', hash, parentHash: block.parentHash, timestamp: '0x5', logsBloom: '0x' }
  const { reader } = clientOf(() => Promise.resolve(shown))
  expect(await reader.headers([6n])).toMatchObject([{ number: 6n }])
  await expect(reader.headers([5n])).rejects.toMatchObject({ failure: 'badAnswer' })
})

test('payments of a block do not vouch for transfers that its filter admits', () => {
  const { reader } = nodeWith([])
  const transfer = [token, transferTopic, topicOf(gateway)] as const
  const admitting = { ...block, logsBloom: bloomOf([gateway, paymentTopic, ...transfer]) }
  const payment = { address: gateway, topics: [paymentTopic] } as unknown as RpcLog
  const moved = { address: token, topics: [transferTopic, topicOf(token), topicOf(gateway)] } as unknown as RpcLog
  expect(reader.hasAll(admitting, [])).toBe(false)
  expect(reader.hasAll(admitting, [payment])).toBe(false)
  expect(reader.hasAll(admitting, [payment, moved])).toBe(true)
  expect(reader.hasAll({ ...block, logsBloom: bloomOf([gateway, paymentTopic]) }, [payment])).toBe(true)
})

/** A bloom filter of 2,048 bits with three bits of each value's hash, as the Yellow Paper (4.3.1) defines it. */
function bloomOf(values: readonly Hex[]): Hex {
  const bits = new Uint8Array(256)
  for (const value of values) {
    const bytes = keccak256(value, 'bytes')
    for (const offset of [0, 2, 4]) {
      const bit = (((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0)) % 2_048
      bits[255 - Math.floor(bit / 8)] = (bits[255 - Math.floor(bit / 8)] ?? 0) | (1 << (bit % 8))
    }
  }
  return bytesToHex(bits)
}

test('asks the contract for payments in and for payments out', async () => {
  const { reader, asked } = nodeWith([])
  expect(await reader.paymentsOf(block)).toEqual([])
  const ofContract = asked.filter(({ address }) => address === gateway)
  expect(ofContract).toHaveLength(1)
  expect(ofContract[0]?.topics[0]).toEqual([paymentTopic, paidTopic])
})

test('takes logs of the block that was asked for, however its hash is written, and refuses others', async () => {
  const upper = `0x${'C'.repeat(64)}` as const
  expect(await nodeWith([{ blockHash: upper }]).reader.paymentsOf(block)).toHaveLength(2)
  const { reader } = nodeWith([{ blockHash: hash }, { blockHash: `0x${'e'.repeat(64)}` }])
  await expect(reader.paymentsOf(block)).rejects.toMatchObject({ failure: 'badAnswer' })
})
