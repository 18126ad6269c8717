import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, TransportError } from '@candela/client/errors'
import { NotSent } from '../../command/send-command.ts'
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
  hourLeft: '1000',
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
const { quoteNo: _quoteNo, expiresAt: _expiresAt, hourLeft: _hourLeft, ...terms } = first
const made: Exchange = { ...terms, exchangeNo: 'E1', quotedOut: '19.94', minReceived: '19.8', pricedBy: 'quote' }

let now: number
let earlier: boolean
let sent: Parameters<FlowDeps['send']>[]
let answers: (() => Promise<{ exchange: Exchange }>)[]
let quotes: (() => Promise<Quote>)[]
beforeEach(() => {
  now = 1_000_000
  earlier = false
  sent = []
  answers = []
  quotes = []
})

const refuse = (code: number) => () => Promise.reject(new ApiError(code, `said ${code}`))
const open = () => {
  const opened = createExchangeFlow({
    showsEarlier: () => earlier,
    quote: () => (quotes.shift() ?? refuse(5031))(),
    send: (...asked) => {
      sent.push(asked)
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
const about = { from: 'JU', to: 'USDT', amount: '10' }

describe('an exchange', () => {
  test('agrees to half a percent less than what is on screen, and no less', async () => {
    answers = [() => Promise.resolve({ exchange: made })]
    const flow = start()
    await flow.confirm()
    expect(sent).toEqual([[{ quoteNo: 'Q1', minReceived: '19.8403' }, about]])
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
    expect(sent[1]).toEqual([{ quoteNo: 'Q2', minReceived: '18.905' }, about])
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

  test('whose outcome is not known ends here, and comes before any new one', async () => {
    answers = [() => Promise.reject(new NotSent())]
    const flow = start()
    await flow.confirm()
    expect(flow.flow.get()).toBeNull()
    earlier = true
    flow.review(ACCOUNT, { quote: quoteOf('Q2', '21'), endsAt: now + 30_000 })
    expect(flow.flow.get()).toBeNull()
    earlier = false
    flow.review(ACCOUNT, { quote: quoteOf('Q2', '21'), endsAt: now + 30_000 })
    expect(flow.shown()).toBe('Q2')
  })

  test('is never renewed while it is under way, stays for whoever comes back, and is not shown to another account', async () => {
    const { promise, resolve } = Promise.withResolvers<{ exchange: Exchange }>()
    answers = [() => promise]
    const flow = start()
    const confirming = flow.confirm()
    now += 60_000
    await flow.tick()
    flow.leave(ACCOUNT)
    expect([flow.step(), sent.length]).toEqual([{ kind: 'sending' }, 1])
    resolve({ exchange: made })
    await confirming
    expect(flow.step()).toEqual({ kind: 'done', exchange: made })
    flow.leave('0xBob')
    expect(flow.flow.get()).toBeNull()
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
