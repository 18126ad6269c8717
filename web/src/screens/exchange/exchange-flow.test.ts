import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, TransportError } from '../../api/errors.ts'
import { memoryStorage } from '../../lib/storage.ts'
import { createPendingCommands } from '../../command/pending-commands.ts'
import { agreedMin, createExchangeFlow, endOf, type Exchange, type FlowDeps, type Quote } from './exchange-flow.ts'

const ACCOUNT = '0xAlice'

const price = { windowSeconds: 1_800, pair: null, blockNumber: null, observedAt: null }
const quoteOf = (quoteNo: string, amountOut: string): Quote => ({
  quoteNo,
  from: 'JU',
  to: 'USDT',
  amountIn: '10',
  rate: '2',
  fee: '0.06',
  amountOut,
  feePpm: 3_000,
  baseFeePpm: 3_000,
  level: 0,
  discountPercent: 0,
  prices: {
    from: { ...price, asset: 'JU', used: '2', side: 'average', average: '2', spot: '2' },
    to: { ...price, asset: 'USDT', used: '1', side: 'unit', average: '1', spot: '1' },
  },
  createdAt: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-01T12:00:30.000Z',
})
const first = quoteOf('Q1', '19.94')
const { quoteNo: _quoteNo, expiresAt: _expiresAt, ...terms } = first
const made: Exchange = { ...terms, exchangeNo: 'E1', quotedOut: '19.94', minReceived: '19.8', pricedBy: 'quote' }

let now: number
let store: Map<string, string>
let sent: Parameters<FlowDeps['send']>[0][]
let answers: (() => Promise<{ exchange: Exchange }>)[]
let quotes: (() => Promise<Quote>)[]
beforeEach(() => {
  now = 1_000_000
  store = new Map()
  sent = []
  answers = []
  quotes = []
})

const refuse = (code: number) => () => Promise.reject(new ApiError(code, `said ${code}`))
const open = () => {
  const opened = createExchangeFlow({
    pending: createPendingCommands(memoryStorage(store), 'exchange'),
    newRequestId: () => `request-${sent.length}`,
    quote: () => (quotes.shift() ?? refuse(5031))(),
    send: (input) => {
      sent.push(input)
      return (answers.shift() ?? refuse(5031))()
    },
    now: () => now,
  })
  return {
    ...opened,
    step: () => opened.flow.get()?.step,
    shown: () => opened.flow.get()?.offer.quote.quoteNo,
  }
}
const start = () => {
  const started = open()
  started.review(ACCOUNT, { quote: first, endsAt: endOf(first, now) })
  return started
}
const lost = () => Promise.reject(new TransportError('timeout', 'slow'))

describe('an exchange', () => {
  test('agrees to half a percent less than what is on screen, and no less', async () => {
    answers = [() => Promise.resolve({ exchange: made })]
    const flow = start()
    await flow.confirm()
    expect(sent).toEqual([{ quoteNo: 'Q1', minReceived: '19.8403', requestId: 'request-0' }])
    expect(flow.step()).toEqual({ kind: 'done', exchange: made })
    expect(agreedMin(quoteOf('Q', '0.000000000000000001'))).toBe('0.000000000000000001')
  })

  test('whose price moved shows old and new, and is done only after another tap', async () => {
    answers = [refuse(4204), () => Promise.resolve({ exchange: made })]
    quotes = [() => Promise.resolve(quoteOf('Q2', '19'))]
    const flow = start()
    await flow.confirm()
    expect(flow.step()).toEqual({ kind: 'moved', oldOut: '19.94' })
    expect([flow.shown(), sent.length]).toEqual(['Q2', 1])
    await flow.confirm()
    expect(sent[1]).toEqual({ quoteNo: 'Q2', minReceived: '18.905', requestId: 'request-1' })
    expect(flow.step()?.kind).toBe('done')
  })

  test('left alone past its quote gets another; the same figure asks for nothing, another one does', async () => {
    const flow = start()
    now += 29_999
    await flow.tick()
    expect(flow.shown()).toBe('Q1')
    now += 1
    quotes = [() => Promise.resolve(quoteOf('Q2', '19.94'))]
    await flow.tick()
    expect([flow.shown(), flow.step()]).toEqual(['Q2', { kind: 'review' }])
    now += 30_000
    quotes = [() => Promise.resolve(quoteOf('Q3', '19.5'))]
    await flow.tick()
    now += 30_000
    quotes = [() => Promise.resolve(quoteOf('Q4', '19.6'))]
    await flow.tick()
    expect([flow.shown(), flow.step()]).toEqual(['Q4', { kind: 'moved', oldOut: '19.94' }])
    expect(sent).toEqual([])
  })

  test('without an answer is asked for again under the same id, and never renewed meanwhile', async () => {
    answers = [lost, refuse(500), () => Promise.resolve({ exchange: made })]
    const flow = start()
    await flow.confirm()
    now += 60_000
    await flow.tick()
    expect(flow.step()).toEqual({ kind: 'noAnswer' })
    await flow.askAgain()
    expect(flow.step()).toEqual({ kind: 'noAnswer' })
    await flow.askAgain()
    expect(flow.step()?.kind).toBe('done')
    expect(sent).toEqual([sent[0], sent[0], sent[0]])
    expect(store.size).toBe(0)
  })

  test('without an answer is taken up after a reload, by its own account and no other, before any new one', async () => {
    answers = [lost, refuse(401), () => Promise.resolve({ exchange: made })]
    await start().confirm()
    const after = open()
    expect(after.resume('0xBob')).toBe(false)
    after.review(ACCOUNT, { quote: quoteOf('Q2', '21'), endsAt: now + 30_000 })
    expect([after.shown(), after.step()]).toEqual(['Q1', { kind: 'noAnswer' }])
    now += 86_400_000
    await after.askAgain()
    expect(after.step()).toEqual({ kind: 'noAnswer' })
    // The other account on the same device sees nothing of it.
    expect(after.resume('0xBob')).toBe(false)
    expect(after.flow.get()).toBeNull()
    expect(after.resume(ACCOUNT)).toBe(true)
    await after.askAgain()
    expect(after.step()).toEqual({ kind: 'done', exchange: made })
    expect(sent).toEqual([sent[0], sent[0], sent[0]])
    expect(after.resume(ACCOUNT)).toBe(false)
  })

  test('that is under way stays so for whoever comes back to the screen', async () => {
    const { promise, resolve } = Promise.withResolvers<{ exchange: Exchange }>()
    answers = [() => promise]
    const flow = start()
    const confirming = flow.confirm()
    expect(flow.resume(ACCOUNT)).toBe(true)
    expect(flow.step()).toEqual({ kind: 'sending' })
    resolve({ exchange: made })
    await confirming
    expect(flow.step()).toEqual({ kind: 'done', exchange: made })
  })

  test('that was never done after all finds the price moved, and is asked for anew in sight', async () => {
    answers = [lost, refuse(4204)]
    quotes = [() => Promise.resolve(quoteOf('Q2', '19'))]
    await start().confirm()
    const after = open()
    after.resume(ACCOUNT)
    await after.askAgain()
    expect([after.shown(), after.step()]).toEqual(['Q2', { kind: 'moved', oldOut: '19.94' }])
    expect(store.size).toBe(0)
  })

  test('that is refused, or finds no new quote, says so; closed, it stays closed', async () => {
    answers = [refuse(4206)]
    const refused = start()
    await refused.confirm()
    expect(refused.step()).toEqual({ kind: 'failed', message: 'said 4206' })
    answers = [refuse(4204)]
    quotes = [() => Promise.reject(new TransportError('connect', 'gone'))]
    const without = start()
    await without.confirm()
    expect(without.step()).toEqual({ kind: 'failed', message: null })
    answers = [refuse(4204)]
    const closed = start()
    quotes = [
      () => {
        closed.close()
        return Promise.resolve(quoteOf('Q2', '19'))
      },
    ]
    await closed.confirm()
    expect(closed.flow.get()).toBeNull()
  })
})
