import { describe, expect, test, vi } from 'vitest'
import { lies, tell } from '@candela/testing/proxies/lies'
import { RpcError } from '../ask.ts'
import { callSender, type NodeLimits } from './send-calls.ts'

type Call = { id: number; method: string; params?: unknown }
type Answer = { id: unknown; result?: unknown; error?: { code: number; message: string } }

const CHAIN_ID = 210_000

/** The answers of an honest node. */
const results: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x33450',
  eth_gasPrice: '0x3b9aca00',
  eth_getCode: `0x${'60'.repeat(40)}`,
  eth_getLogs: [],
  eth_getTransactionReceipt: null,
}
const answerOf = ({ id, method }: Call): Answer => ({ id, result: method in results ? results[method] : '0x5' })

type Asked = { calls: Call[]; isBatch: boolean }
type Node = (asked: Asked) => Response

const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } })
const honest: Node = ({ calls, isBatch }) => json(isBatch ? calls.map(answerOf) : answerOf(calls[0] as Call))

/** A client of a node in this process, and the requests that it got. */
function connect(node: Node, limits: NodeLimits = {}) {
  const requests: Asked[] = []
  const send = callSender({
    url: 'http://user:secret-key@node.invalid/path-key',
    chainId: CHAIN_ID,
    timeout_ms: 5_000,
    limits,
    fetchFn: (_url, init) => {
      const body = JSON.parse(init.body as string) as Call | Call[]
      const asked = { calls: [body].flat(), isBatch: Array.isArray(body) }
      requests.push(asked)
      return Promise.try(node, asked)
    },
  })
  return { send, requests, sizes: () => requests.map(({ calls }) => calls.length) }
}

const word = (digit: number) => `0x${String(digit).repeat(64)}`
const addressOf = (digit: number) => `0x${String(digit).repeat(40)}`
const logOf = (blockHash: string, blockNumber: string) => ({
  address: addressOf(1),
  topics: [word(7), word(5)],
  data: '0x',
  blockHash,
  blockNumber,
  logIndex: '0x0',
  transactionHash: word(4),
})

const unknownMethod = { code: -32_601, message: 'the method does not exist' }
const answersTo = ({ calls }: Asked): string => JSON.stringify(calls.map(answerOf))
const balances = (count: number) => Array.from({ length: count }, () => ({ method: 'eth_getBalance' }))
const all = (send: ReturnType<typeof connect>['send'], count: number) => Promise.all(balances(count).map(send))

describe('a node that lies about one of several calls', () => {
  const asked = ['eth_gasPrice', 'eth_getTransactionCount', 'eth_getCode', 'eth_getLogs', 'eth_getTransactionReceipt']
  const positions = [0, 1, 2, 3, 4, 5]
  test.each(lies.flatMap((lie) => positions.map((nth) => [lie, nth] as const)))('%s, call %i', async (lie, nth) => {
    const { send } = connect(({ calls }) => json(tell(lie, calls.map(answerOf), nth)))
    const found = await Promise.all(
      asked.map((method) => send({ method, params: [] }).catch((error: unknown) => error)),
    )
    for (const [index, method] of asked.entries()) {
      const result = found[index]
      if (result instanceof RpcError) continue
      // Two numbers, or half of a text, look like right answers; that is why decisions about money ask twice.
      const isPlausible =
        (lie === 'swapped' && /eth_gas|Count/.test(method)) || (lie === 'shortened' && method !== 'eth_getLogs')
      if (!isPlausible) expect([method, result]).toEqual([method, answerOf({ id: 0, method }).result])
    }
    // The lie was told: an answer to something is refused, or was only in another place.
    const isTold = lie === 'shuffled' || lie === 'shortened' || lie === 'swapped' || (lie === 'nulled' && nth === 5)
    expect(found.some((result) => result instanceof RpcError) || isTold).toBe(true)
  })
})

test.each<[string, unknown[], unknown]>([
  ['eth_getBlockByNumber', ['latest', false], null],
  ['eth_getBlockByNumber', ['0x6', false], { number: '0x6', hash: word(1), timestamp: '0x1' }],
  ['eth_getBlockByNumber', ['0x6', false], { number: '0x6', hash: word(1), parentHash: word(2) }],
  ['eth_getBlockByNumber', ['0x6', false], { number: '0x6', hash: '0x12', parentHash: word(2), timestamp: '0x1' }],
  ['eth_getTransactionReceipt', [word(1)], { transactionHash: word(1), status: '0x1' }],
  ['eth_getTransactionByHash', [word(1)], { hash: word(2), nonce: '0x1' }],
  ['eth_getTransactionByHash', [word(1)], { hash: word(1) }],
  ['eth_getLogs', [{}], [{ ...logOf(word(2), '0x1'), blockHash: null }]],
  ['eth_getLogs', [{}], [{ ...logOf(word(2), '0x1'), blockNumber: null }]],
  ['eth_getLogs', [{}], [{ ...logOf(word(2), '0x1'), topics: [5] }]],
  ['eth_getLogs', [{}], [{ ...logOf(word(2), '0x1'), data: '0x123' }]],
  ['eth_getBalance', [], '0x'],
  ['eth_getBalance', [], `0x${'1'.repeat(65)}`],
  ['eth_getCode', [], '0x123'],
  ['eth_getBlockByNumber', ['0x5', false], { number: '0x6', hash: word(1), parentHash: word(2), timestamp: '0x1' }],
  ['eth_getBlockByHash', [word(3), false], { number: '0x6', hash: word(1), parentHash: word(2), timestamp: '0x1' }],
  [
    'eth_getTransactionReceipt',
    [word(3)],
    { transactionHash: word(1), blockHash: word(2), blockNumber: '0x1', status: '0x1' },
  ],
  [
    'eth_getTransactionReceipt',
    [word(1)],
    { transactionHash: word(1), blockHash: word(2), blockNumber: '0x1', status: 1 },
  ],
  ['eth_getLogs', [{ blockHash: word(1) }], [logOf(word(2), '0x1')]],
  ['eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x3' }], [logOf(word(2), '0x4')]],
  ['eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x3' }], [logOf(word(2), '0x1')]],
  ['eth_getLogs', [{ address: addressOf(2) }], [logOf(word(2), '0x1')]],
  ['eth_getLogs', [{ topics: [null, [word(8), word(9)]] }], [logOf(word(2), '0x1')]],
  ['eth_sendRawTransaction', ['0x01'], word(1)],
])('%s of %j is not answered with %j', async (method, params, result) => {
  const { send } = connect(({ calls }) =>
    json(calls.map((call) => (call.method === method ? { id: call.id, result } : answerOf(call)))),
  )
  await expect(send({ method, params })).rejects.toMatchObject({ failure: 'badAnswer' })
})

test('logs that fit their question are taken', async () => {
  const log = logOf(word(2), '0x2')
  const { send } = connect(({ calls }) =>
    json(calls.map((call) => (call.method === 'eth_getLogs' ? { id: call.id, result: [log] } : answerOf(call)))),
  )
  const filter = { address: [addressOf(1)], topics: [[word(6), word(7)], null], fromBlock: '0x02', toBlock: '0x3' }
  expect(await send({ method: 'eth_getLogs', params: [filter] })).toEqual([log])
})

test('a nonce is never read from the answer about the chain', async () => {
  const { send } = connect(({ calls }) => json(calls.filter(({ method }) => method !== 'eth_getBalance').map(answerOf)))
  const found = await Promise.allSettled([
    send({ method: 'eth_getBalance' }),
    send({ method: 'eth_getTransactionCount' }),
  ])
  expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

const batchTooLarge = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batch too large' } }
const raise = (error: Error): never => {
  throw error
}
const refusing =
  (most: number, refusal: (calls: Call[]) => Response): Node =>
  (asked) =>
    asked.calls.length > most ? refusal(asked.calls) : honest(asked)

describe('a limit on batches', () => {
  test.each<[string, number, (calls: Call[]) => Response]>([
    ['50, as an error', 50, () => json(batchTooLarge)],
    ['20, as a list of one error', 20, () => json([batchTooLarge])],
    ['10, as geth says it', 10, ([first]) => json([{ ...batchTooLarge, id: first?.id }])],
    ['10, as HTTP 413', 10, () => new Response('<html>', { status: 413 })],
    ['1, as an error that names no batch', 1, () => json({ error: { code: -32_700, message: 'parse error' } }, 400)],
  ])('of %s is found, and kept', async (_name, most, refusal) => {
    const { send, requests, sizes } = connect(refusing(most, refusal))
    expect(await all(send, 150)).toEqual(Array.from({ length: 150 }, () => '0x5'))
    for (let round = 0; round < 5; round++) await all(send, 60)
    requests.length = 0
    await all(send, 60)
    expect(Math.max(...sizes())).toBeLessThanOrEqual(most)
    expect(Math.max(...sizes())).toBeGreaterThanOrEqual(Math.floor((most * 7) / 8))
    // Each request with several calls asks for the chain, and a node without batches is asked beside them.
    expect(requests.filter(({ calls }) => calls.some(({ method }) => method === 'eth_chainId')).length).toBeGreaterThan(
      0,
    )
    expect(requests.every(({ calls, isBatch }) => !isBatch || calls[0]?.method === 'eth_chainId')).toBe(true)
  })

  test('of a node that only hangs up is found, too; a connection that ended by itself lowers nothing', async () => {
    const hangUp = new TypeError('fetch failed', {
      cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
    })
    const small = connect(refusing(20, () => raise(hangUp)))
    expect(await all(small.send, 60)).toHaveLength(60)
    small.requests.length = 0
    await all(small.send, 60)
    expect(Math.max(...small.sizes())).toBeLessThanOrEqual(26)

    let ended = 0
    const idle = connect((asked) => (ended++ === 0 ? raise(hangUp) : honest(asked)))
    expect(await all(idle.send, 60)).toHaveLength(60)
    expect(idle.sizes()).toEqual([61, 61])

    const gone = connect(() => raise(hangUp))
    await expect(all(gone.send, 60)).rejects.toMatchObject({ failure: 'unreachable', message: 'no connection' })
    const refusal = new TypeError('fetch failed', { cause: Object.assign(new Error(''), { code: 'ECONNREFUSED' }) })
    const off = connect(() => raise(refusal))
    await expect(all(off.send, 60)).rejects.toMatchObject({ failure: 'unreachable' })
    expect(off.sizes()).toEqual([61])

    // Whether a transaction may still be sent is for its sender to say again.
    const sending = connect((asked) => (sending.requests.length === 1 ? raise(hangUp) : honest(asked)))
    await expect(sending.send({ method: 'eth_sendRawTransaction', params: ['0x01'] })).rejects.toMatchObject({
      failure: 'unreachable',
    })
    expect(sending.requests).toHaveLength(1)
  })

  // As reported of Erigon, of Polygon's public nodes, of Parity's JSON-RPC server and of Alchemy.
  test.each([
    [100, { id: null, error: { code: -32_000, message: 'batch limit 100 exceeded: 142 requests given' } }],
    [20, [{ id: null, error: { code: -32_600, message: 'Too many ["eth_getLogs"] methods in the batch' } }]],
    [
      50,
      { id: null, error: { code: -32_010, message: 'The batch request was too large', data: 'Exceeded max limit' } },
    ],
    [10, { id: null, error: { code: -32_008, message: 'Response is too big' } }],
  ])('of %i, in the words of other nodes', async (most, refusal) => {
    const { send } = connect(refusing(most, () => json(refusal)))
    expect(await all(send, 150)).toHaveLength(150)
  })

  test('that the operator has set is never exceeded', async () => {
    const { send, sizes } = connect(honest, { batch: 10 })
    await all(send, 95)
    expect(Math.max(...sizes())).toBe(10)
    const single = connect(honest, { batch: 1 })
    await all(single.send, 5)
    expect(single.requests.every(({ isBatch }) => !isBatch)).toBe(true)
    expect(single.sizes()).toHaveLength(6)
  })

  test('a node that refuses everything is not taken for one that takes no batches', async () => {
    let isOpen = false
    const { send, requests } = connect((asked) =>
      isOpen ? honest(asked) : json({ error: { code: -32_600, message: 'project is suspended' } }),
    )
    await expect(all(send, 3)).rejects.toMatchObject({ failure: 'refused', message: 'project is suspended' })
    isOpen = true
    requests.length = 0
    await all(send, 3)
    expect(requests.map(({ isBatch }) => isBatch)).toEqual([true])
  })
})

const other: Node = ({ calls }) => {
  const [call] = calls as [Call]
  return json(call.method === 'eth_chainId' ? { id: call.id, result: '0x1' } : answerOf(call))
}

test('a node of another chain is refused also where it takes no batches', async () => {
  const { send } = connect(other, { batch: 1 })
  await expect(send({ method: 'eth_getBalance' })).rejects.toMatchObject({ failure: 'wrongChain' })
})

test('a node that does not say its chain is refused', async () => {
  const { send } = connect(({ calls }) =>
    json(calls.map((call) => (call.method === 'eth_chainId' ? { id: call.id, error: unknownMethod } : answerOf(call)))),
  )
  await expect(send({ method: 'eth_getBalance' })).rejects.toMatchObject({
    failure: 'refused',
    message: 'the node does not say which chain it is on',
  })
})

test('answers that are too large are asked for in smaller parts', async () => {
  const { send, sizes } = connect((asked) =>
    asked.calls.length <= 20 ? honest(asked) : new Response(' '.repeat(10 * 1024 * 1024) + answersTo(asked)),
  )
  expect(await all(send, 60)).toEqual(Array.from({ length: 60 }, () => '0x5'))
  expect(sizes().length).toBeGreaterThan(3)
})

test('a single call of several that a node refuses for now is asked again with the others', async () => {
  let refusals = 0
  const { send, requests } = connect((asked) => {
    if (refusals++ > 0) return honest(asked)
    const [first, ...others] = asked.calls.map(answerOf)
    const last = { id: others.pop()?.id, error: { code: -32_005, message: 'too many requests' } }
    return json([first, ...others, last], 200, { 'retry-after': '0' })
  })
  expect(await all(send, 3)).toEqual(['0x5', '0x5', '0x5'])
  expect(requests).toHaveLength(2)
})

test('a node that wants to be left alone for an hour is asked again after half a minute', async () => {
  vi.useFakeTimers()
  try {
    let refusals = 0
    const { send, requests } = connect((asked) => {
      if (refusals++ > 0) return honest(asked)
      return json({ error: 'too many requests' }, 429, { 'retry-after': '3600' })
    })
    const answered = send({ method: 'eth_getBalance' })
    await vi.advanceTimersByTimeAsync(29_000)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await answered).toBe('0x5')
  } finally {
    vi.useRealTimers()
  }
})

test('what a node says of its limits is waited for and remembered', async () => {
  let refusals = 0
  const { send, requests } = connect((asked) => {
    if (refusals++ > 0) return honest(asked)
    return json({ error: 'too many requests' }, 429, { 'retry-after': '0' })
  })
  expect(await all(send, 30)).toHaveLength(30)
  expect(requests).toHaveLength(2)
})

test('what a node refuses for good is named, without the URL', async () => {
  const { send } = connect(() => json({ error: 'quota' }, 429, { 'retry-after': '0' }))
  const failure: unknown = await send({ method: 'eth_getBalance' }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: 'limited', message: 'the node says "quota"' })
  expect(JSON.stringify(failure)).not.toContain('key')
})

test('a set number of calls a second is kept to', async () => {
  const { send, requests } = connect(honest, { perSecond: 20, batch: 20 })
  const started_ms = performance.now()
  await all(send, 38)
  // Two batches of twenty do not fit into one second.
  expect(requests).toHaveLength(2)
  expect(performance.now() - started_ms).toBeGreaterThanOrEqual(990)
})

test('after a refusal a second has fewer calls, and who has asked first is served first', async () => {
  let refusals = 0
  const { send, sizes } = connect((asked) =>
    refusals++ > 0 ? honest(asked) : json({ error: 'too many requests' }, 429, { 'retry-after': '0' }),
  )
  const started_ms = performance.now()
  await all(send, 60)
  // As many as were refused are a second's worth.
  expect(performance.now() - started_ms).toBeGreaterThanOrEqual(900)
  expect(sizes()).toEqual([61, 61])

  const slow = connect(honest, { perSecond: 20, batch: 20 })
  await all(slow.send, 10)
  const large = all(slow.send, 15)
  await new Promise((resolve) => setTimeout(resolve, 0))
  await Promise.all([large, slow.send({ method: 'eth_getBalance' })])
  expect(slow.sizes()).toEqual([11, 16, 2])
})

test('name and password of the URL travel as a header', async () => {
  const seen: unknown[] = []
  const send = callSender({
    url: 'http://user:p%40ss@node.invalid/',
    chainId: CHAIN_ID,
    timeout_ms: 5_000,
    limits: {},
    fetchFn: (url, init) => {
      seen.push(url, (init.headers as Record<string, string>)['authorization'])
      const calls = JSON.parse(init.body as string) as Call[]
      return Promise.resolve(json(calls.map(answerOf)))
    },
  })
  await send({ method: 'eth_getBalance' })
  expect(seen).toEqual(['http://node.invalid/', `Basic ${Buffer.from('user:p@ss').toString('base64')}`])
})

test('an answer that never ends is not waited for', async () => {
  const send = callSender({
    url: 'http://node.invalid/',
    chainId: CHAIN_ID,
    timeout_ms: 50,
    limits: {},
    fetchFn: (_url, { signal }) => {
      // `fetch` ends the body of its response in this way, too.
      const start = (body: ReadableStreamDefaultController) =>
        signal?.addEventListener('abort', () => body.error(signal.reason))
      return Promise.resolve(new Response(new ReadableStream({ start })))
    },
  })
  await expect(send({ method: 'eth_getBalance' })).rejects.toMatchObject({ failure: 'timeout' })
})
