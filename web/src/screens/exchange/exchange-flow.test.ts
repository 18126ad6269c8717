import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, TransportError } from '../../api/errors.ts'
import { agreedLeast, createExchangeFlow, endOf, type Exchange, type FlowDeps, type Quote } from './exchange-flow.ts'

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
let sent: Parameters<FlowDeps['send']>[0][]
let answers: (() => Promise<{ exchange: Exchange }>)[]
let quotes: (() => Promise<Quote>)[]
beforeEach(() => {
  now = 1_000_000
  sent = []
  answers = []
  quotes = []
})

const refuse = (code: number) => () => Promise.reject(new ApiError(code, `said ${code}`))
const start = () => {
  const started = createExchangeFlow({
    quote: () => (quotes.shift() ?? refuse(5031))(),
    send: (wish) => {
      sent.push(wish)
      return (answers.shift() ?? refuse(5031))()
    },
    now: () => now,
  })
  started.review({ quote: first, endsAt: endOf(first, now) })
  return {
    ...started,
    stage: () => started.flow.get()?.stage,
    shown: () => started.flow.get()?.offer.quote.quoteNo,
  }
}

describe('an exchange', () => {
  test('agrees to half a percent less than what is on screen, and no less', async () => {
    answers = [() => Promise.resolve({ exchange: made })]
    const flow = start()
    await flow.confirm()
    expect(sent).toEqual([{ quoteNo: 'Q1', minReceived: '19.8403' }])
    expect(flow.stage()).toEqual({ kind: 'done', exchange: made })
    expect(agreedLeast(quoteOf('Q', '0.000000000000000001'))).toBe('0.000000000000000001')
  })

  test('whose price moved shows old and new, and is done only after another tap', async () => {
    answers = [refuse(4204), () => Promise.resolve({ exchange: made })]
    quotes = [() => Promise.resolve(quoteOf('Q2', '19'))]
    const flow = start()
    await flow.confirm()
    expect(flow.stage()).toEqual({ kind: 'moved', oldOut: '19.94' })
    expect([flow.shown(), sent.length]).toEqual(['Q2', 1])
    await flow.confirm()
    expect(sent[1]).toEqual({ quoteNo: 'Q2', minReceived: '18.905' })
    expect(flow.stage()?.kind).toBe('done')
  })

  test('left alone past its quote gets another; the same figure asks for nothing, another one does', async () => {
    const flow = start()
    now += 29_999
    await flow.tick()
    expect(flow.shown()).toBe('Q1')
    now += 1
    quotes = [() => Promise.resolve(quoteOf('Q2', '19.94'))]
    await flow.tick()
    expect([flow.shown(), flow.stage()]).toEqual(['Q2', { kind: 'review' }])
    now += 30_000
    quotes = [() => Promise.resolve(quoteOf('Q3', '19.5'))]
    await flow.tick()
    now += 30_000
    quotes = [() => Promise.resolve(quoteOf('Q4', '19.6'))]
    await flow.tick()
    expect([flow.shown(), flow.stage()]).toEqual(['Q4', { kind: 'moved', oldOut: '19.94' }])
    expect(sent).toEqual([])
  })

  test('without an answer is asked for again with the same wish, and never renewed meanwhile', async () => {
    answers = [
      () => Promise.reject(new TransportError('timeout', 'slow')),
      refuse(500),
      () => Promise.resolve({ exchange: made }),
    ]
    const flow = start()
    await flow.confirm()
    now += 60_000
    await flow.tick()
    expect(flow.stage()).toEqual({ kind: 'unanswered' })
    await flow.askAgain()
    expect(flow.stage()).toEqual({ kind: 'unanswered' })
    await flow.askAgain()
    expect(flow.stage()?.kind).toBe('done')
    expect(new Set(sent.map((wish) => JSON.stringify(wish))).size).toBe(1)
  })

  test('that is refused, or finds no new quote, says so; closed, it stays closed', async () => {
    answers = [refuse(4206)]
    const refused = start()
    await refused.confirm()
    expect(refused.stage()).toEqual({ kind: 'failed', message: 'said 4206' })
    answers = [refuse(4204)]
    quotes = [() => Promise.reject(new TransportError('connect', 'gone'))]
    const lost = start()
    await lost.confirm()
    expect(lost.stage()).toEqual({ kind: 'failed', message: null })
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
