import { startFaultyProxy } from '@candela/testing/proxies/faulty-proxy'
import { otherResults, startLyingProxy } from '@candela/testing/proxies/lying-proxy'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../operator/run-command.ts'
import { checkNode, type NodeSettings } from './check-node.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
  await chain.pay()
  await chain.mine()
})
afterAll(() => chain.stop())

async function check(url: string, more: Partial<NodeSettings> = {}) {
  const { timestamp } = await chain.client.getBlock()
  const now = () => new Date(Number(timestamp) * 1_000)
  return checkNode({ url, chainId: 210_000, limits: {}, statesKept: 10, depth: 30, now, ...more })
}
const missing = async (url: string, more: Partial<NodeSettings> = {}) =>
  (await check(url, more)).filter(({ ok }) => !ok).map(({ check: name, found }) => `${name}: ${found}`)

test('a node that has everything, and what it has', async () => {
  const found = new Map((await check(chain.url)).map(({ check: name, ...rest }) => [name, rest]))
  expect([...found.values()].every(({ ok }) => ok)).toBe(true)
  expect(found.get('chain and head')?.found).toMatch(/^chain 210000, block \d+, 0 s old$/)
  expect(found.get('several calls in one request')?.found).toBe('99 and more')
  expect(found.get('states kept')?.found).toBe(
    'all: an archive; CONFIRMATIONS_LARGE is 30, so states are asked for at 10',
  )
  expect(found.get('bloom filters')?.found).toBe('filled')
  expect(found.get('gas price')?.found).toMatch(/^\d+ base units, blocks with a base fee$/)
  expect(found.get('transactions and receipts')?.found).toBe('yes')
})

test.each([
  [
    'eth_getBalance',
    ['states named by block hash (EIP-1898): limit exceeded', 'states kept: not 1 blocks (CONFIRMATIONS_LARGE)'],
  ],
  [
    'eth_getLogs',
    ['logs by block hash: limit exceeded', 'logs of a range: limit exceeded', 'bloom filters: limit exceeded'],
  ],
  ['eth_gasPrice', ['gas price: limit exceeded']],
  ['eth_syncing', ['synchronised: limit exceeded']],
])('what is missing without %s', async (method, wanted) => {
  await using node = await startFaultyProxy(chain.url, (asked) => (asked === method ? 'refuse' : 'pass'))
  const found = await missing(node.url, { depth: 1 })
  expect(found).toEqual(wanted)
})

test('a node that synchronises, and one that answers for a block that does not exist', async () => {
  await using behind = await startLyingProxy(
    chain.url,
    otherResults(({ method }) => (method === 'eth_syncing' ? { currentBlock: '0x1', highestBlock: '0x9' } : undefined)),
  )
  expect(await missing(behind.url)).toEqual(['synchronised: it is still synchronising'])
  await using blind = await startLyingProxy(
    chain.url,
    (calls) => (answers) =>
      answers.map((answer) => {
        const isState = calls.find(({ id }) => id === answer.id)?.method === 'eth_getBalance'
        return isState ? { id: answer.id, result: '0x0' } : answer
      }),
  )
  expect(await missing(blind.url)).toEqual([
    'states named by block hash (EIP-1898): it answers for a block that does not exist',
  ])
})

const answeredOf = async (fault: 'refuse' | 'hangUp') => {
  await using node = await startFaultyProxy(chain.url, (asked) => (asked === 'eth_gasPrice' ? fault : 'pass'))
  return (await check(node.url)).find(({ check: name }) => name === 'gas price')
}

test('what a node did not answer is told apart from what it lacks', async () => {
  expect(await answeredOf('refuse')).toMatchObject({ ok: false, isAnswered: true })
  expect(await answeredOf('hangUp')).toMatchObject({ ok: false, isAnswered: false })
})

test('a head that is old, another chain, and no node', async () => {
  const { timestamp } = await chain.client.getBlock()
  const later = () => new Date(Number(timestamp) * 1_000 + 3_600_000)
  expect(await missing(chain.url, { now: later })).toEqual([expect.stringContaining('3600 s old')])
  expect(await missing(chain.url, { chainId: 1 })).toEqual(['chain and head: the node is on chain 210000, not 1'])
  expect(await missing('http://127.0.0.1:9')).toEqual(['chain and head: no connection'])
})

const unused = () => Promise.reject(new Error('not needed'))

const checkOf = async (url: string | undefined) => [
  { node: 'a.example.org', provider: 'ours', checks: await check(url ?? chain.url) },
]

async function run(...words: string[]) {
  let out = ''
  const write = (text: string) => void (out += text)
  const deps = { readTime: unused, openKey: unused, openDatabase: unused, write, writeError: write }
  const failure = await runCommand(['chain', 'check', ...words], { ...deps, checkNodes: checkOf }).then(
    () => null,
    (error: unknown) => String(error),
  )
  return { out, failure }
}

test('the command prints each line, and fails where one is missing', async () => {
  await using node = await startFaultyProxy(chain.url, (asked) => (asked === 'eth_gasPrice' ? 'refuse' : 'pass'))
  const good = await run()
  expect(good.failure).toBeNull()
  expect(good.out).toMatch(/states kept +ok +all/)
  const bad = await run('--rpc', node.url)
  expect(bad.failure).toContain('this is needed and missing: gas price (a.example.org)')
  expect(bad.out).toMatch(/gas price +NO +limit exceeded/)
  expect((await run('--rpc', 'nowhere')).failure).toContain('--rpc is not a URL')
})
