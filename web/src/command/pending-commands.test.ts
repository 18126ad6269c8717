import { REQUEST_ID_LIFE_MS, requestIdOf } from '@candela/protocol/request-id'
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../lib/storage.ts'
import { forbiddenStorage } from '../lib/testing-storage.ts'
import { createPendingCommands, newRequestId, type PendingCommand } from './pending-commands.ts'

const NOW = Date.parse('2026-11-26T12:00:00.000Z')
const KEY = 'POST withdraw/apply'
const idAt = (time: number, nth = 0) => requestIdOf(time, new Uint8Array(10).fill(nth))
const command = (changes: Partial<PendingCommand> = {}): PendingCommand => ({
  account: '0xaa',
  key: KEY,
  about: { asset: 'USDT', amount: '5' },
  input: { asset: 'USDT', amount: '5', fee: '1' },
  requestId: idAt(NOW),
  at: NOW,
  ...changes,
})

function setUp() {
  const memory = new Map<string, string>()
  const clock = { now: NOW }
  return { memory, clock, open: () => createPendingCommands(memoryStorage(memory), () => clock.now) }
}

test('a command is kept until its outcome is known, also over a reload, and is found by account and command', () => {
  const { open } = setUp()
  const [kept, other] = [command(), command({ key: 'POST lever/open', requestId: idAt(NOW, 1) })]
  open().keep({ ...kept, account: '0xAA' })
  open().keep(other)
  expect(open().find('0xaA', KEY)).toEqual(kept)
  expect(open().find('0xbb', KEY)).toBeUndefined()
  expect(open().all.get()).toEqual([other, kept])
  open().forget(kept)
  expect([open().find('0xaa', KEY), open().find('0xaa', other.key)]).toEqual([undefined, other])
  const last = open()
  last.forget(other)
  expect(last.all.get()).toBeNull()
})

test('whoever shows them is told, also of what another tab has written', () => {
  const { open } = setUp()
  const [one, other] = [open(), open()]
  one.keep(command())
  expect([one.all.get()?.length, other.all.get()]).toEqual([1, null])
  other.refresh()
  expect(other.all.get()).toEqual([command()])
})

test('two tabs that keep one each keep both, also when one has not heard of the other', () => {
  const { open } = setUp()
  const [one, other] = [open(), open()]
  one.keep(command())
  other.keep(command({ key: 'POST lever/open', requestId: idAt(NOW, 1) }))
  one.forget(command())
  expect(
    open()
      .all.get()
      ?.map(({ key }) => key),
  ).toEqual(['POST lever/open'])
})

test('one that the server refuses as too old is pending no more', () => {
  const { open, clock } = setUp()
  open().keep(command())
  clock.now = NOW + REQUEST_ID_LIFE_MS - 1
  expect(open().find('0xaa', KEY)).toEqual(command())
  clock.now += 1
  expect(open().find('0xaa', KEY)).toBeUndefined()
})

test.each(['{"not": "a list"', '[]', 'null', '[7,{"key":"x"}]'])(
  'a device that holds %s keeps commands all the same',
  (held) => {
    const { open, memory } = setUp()
    memory.set('pendingCommands', held)
    open().keep(command())
    expect(open().find('0xaa', KEY)).toEqual(command())
  },
)

test('a device that keeps nothing has them as long as the page', () => {
  const pending = createPendingCommands(forbiddenStorage(), () => NOW)
  pending.keep(command())
  expect(pending.find('0xaa', KEY)).toEqual(command())
})

describe('of an older version', () => {
  const input = { to: '0x02', asset: 'USDT', amount: '12.5', requestId: idAt(NOW, 2), deadline: 'D', signature: '0x12' }
  const price = {
    used: '2',
    average: '2',
    spot: '2',
    windowSeconds: 1,
    pair: null,
    blockNumber: null,
    observedAt: null,
  }
  const quote = {
    quoteNo: 'Q1',
    from: 'JU',
    to: 'USDT',
    amountIn: '10',
    rate: '2',
    fee: '0.06',
    amountOut: '19.94',
    feePpm: 3_000,
    baseFeePpm: 3_000,
    level: 0,
    discountPercent: 0,
    createdAt: 'A',
    expiresAt: 'B',
    prices: { from: { ...price, asset: 'JU', side: 'average' }, to: { ...price, asset: 'USDT', side: 'unit' } },
  }

  test('everything without an answer is taken over, under its id and with what was sent', () => {
    const { open, memory } = setUp()
    memory.set('address', '0xAA')
    const what = 'POST withdraw/apply {"asset":"USDT","amount":"5","fee":"1"}'
    memory.set(
      'requests',
      JSON.stringify([
        { what, requestId: idAt(NOW, 1), at: NOW },
        { what: 'nonsense', requestId: 'x', at: 1 },
      ]),
    )
    memory.set('transfer', JSON.stringify({ '0xaa': { toUid: '10002', input } }))
    memory.set('exchange', JSON.stringify({ '0xbb': { quote, requestId: idAt(NOW, 3) } }))
    const pending = open()
    const { requestId, ...fields } = input
    expect(pending.find('0xaa', KEY)).toMatchObject({
      input: { asset: 'USDT', amount: '5', fee: '1' },
      requestId: idAt(NOW, 1),
    })
    expect(pending.find('0xaa', 'POST transfer/index')).toMatchObject({
      input: fields,
      requestId,
      about: { toUid: '10002' },
    })
    expect(pending.find('0xbb', 'POST exchange/index')).toMatchObject({
      input: { quoteNo: 'Q1', minReceived: '19.8403' },
      about: { from: 'JU', to: 'USDT', amount: '10' },
      requestId: idAt(NOW, 3),
    })
    expect(['requests', 'transfer', 'exchange'].some((key) => memory.has(key))).toBe(false)
    expect(open().all.get()).toHaveLength(3)
  })
})

test('an id is made by the server’s time, each another', () => {
  const ids = Array.from({ length: 1_000 }, newRequestId)
  expect(new Set(ids.map((id) => id.slice(12))).size).toBe(1_000)
})
