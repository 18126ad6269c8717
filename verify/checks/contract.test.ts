import { expect, test } from 'vitest'
import { createReport, type Line } from '../report.ts'
import type { Rpc } from '../sources/rpc.ts'
import { checkContracts } from './contract.ts'

const ours = { gateway: `0x${'a1'.repeat(20)}`, usdt: `0x${'b2'.repeat(20)}`, hash: `0x${'c3'.repeat(20)}` }
const decoy = { gateway: `0x${'d4'.repeat(20)}`, usdt: `0x${'e5'.repeat(20)}`, hash: `0x${'f6'.repeat(20)}` }

/** A chain with both contracts, each with tokens of its own. */
const rpc = (chainId = '0x33450'): Rpc => ({
  isSaved: false,
  call: async (method, params) => {
    if (method === 'eth_chainId') return chainId
    const [{ to, data }] = params as [{ to: string; data: string }]
    const of = [ours, decoy].find(({ gateway }) => gateway === to)
    const token = data === '0x2f48ab7d' ? of?.usdt : of?.hash
    return token === undefined ? '0x' : `0x${'0'.repeat(24)}${token.slice(2).toUpperCase()}`
  },
})

async function check(contracts: typeof ours, { node = rpc(), network = '210000', gateway = ours.gateway } = {}) {
  const report = createReport(() => undefined)
  const found = await checkContracts(
    report,
    node,
    { network: { chainId: network }, contracts },
    { gateway, chainId: 210_000 },
  )
  const differing = report.lines.filter(({ result }: Line) => result === 'differs').map(({ subject }) => subject)
  return { found, differing, count: report.lines.length }
}

test('the contract that was asked for is checked with its own tokens, whatever the service names', async () => {
  expect(await check(ours)).toEqual({ found: ours, differing: [], count: 5 })
  expect(await check(decoy)).toEqual({ found: ours, differing: ['contract', 'USDT', 'HASH'], count: 5 })
  expect((await check({ ...ours, hash: decoy.hash })).differing).toEqual(['HASH'])
  expect((await check({ ...ours, usdt: decoy.usdt })).differing).toEqual(['USDT'])
})

test('a service or a node of another chain is found, and an address without a contract ends the run', async () => {
  expect((await check(ours, { network: '1' })).differing).toEqual(['chain'])
  expect((await check(ours, { node: rpc('0x1') })).differing).toEqual(['chain of the node'])
  await expect(check(ours, { gateway: `0x${'00'.repeat(19)}01` })).rejects.toThrow('no payment contract')
})
