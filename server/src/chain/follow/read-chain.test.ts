import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { ChainClient } from '../client.ts'
import { paidTopic, paymentTopic } from './decode.ts'
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
  return { reader: chainReader({ request } as unknown as ChainClient, gateway, [token]), asked }
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
