import { transferTypedData, type TransferTypedData } from '@candela/protocol/chain/typed-data'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, TransportError } from '../../api/errors.ts'
import { memoryStorage } from '../../lib/storage.ts'
import { createPendingCommands } from '../../command/pending-commands.ts'
import { WalletError } from '../../wallet/errors.ts'
import { createTransferFlow, type FlowDeps, VALID_MS, type TransferTerms } from './transfer-flow.ts'

const GATEWAY = '0x00000000000000000000000000000000000000aa'
const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const terms: TransferTerms = {
  from: '0x0000000000000000000000000000000000000001',
  to: '0x0000000000000000000000000000000000000002',
  toUid: '10002',
  asset: 'USDT',
  amount: 12_500_000_000_000_000_000n,
}
const made = {
  transferNo: '20260301ABCDEFGHJK',
  direction: 'out',
  asset: 'USDT',
  amount: '12.5',
  fee: '0',
  counterparty: { uid: '10002', maskedAddress: '0x0000…0002' },
  createdAt: '2026-03-01T12:00:01.000Z',
} as const

let store: Map<string, string>
let signed: TransferTypedData[]
let sent: Parameters<FlowDeps['send']>[0][]
let answers: (() => Promise<{ transfer: typeof made }>)[]
let refusal: Error | null
let ready: boolean
beforeEach(() => {
  store = new Map()
  signed = []
  sent = []
  answers = []
  refusal = null
  ready = true
})

const open = () =>
  createTransferFlow({
    pending: createPendingCommands(memoryStorage(store), 'transfer'),
    gateway: () => Promise.resolve(GATEWAY),
    ready: () => Promise.resolve(ready),
    sign: (data) => {
      if (refusal !== null) return Promise.reject(refusal)
      signed.push(data)
      return Promise.resolve('0x1234')
    },
    send: (input) => {
      sent.push(input)
      return (answers.shift() ?? (() => Promise.resolve({ transfer: made })))()
    },
    newRequestId: () => `request-${signed.length}`,
    now: () => NOW,
  })

const lost = () => Promise.reject(new TransportError('timeout', 'lost'))

test('signs exactly what was reviewed, sends it, and ends with the receipt', async () => {
  const { flow, review, confirm } = open()
  review(terms)
  expect(flow.get()?.step).toEqual({ kind: 'review' })
  await confirm()
  const deadline = new Date(NOW + VALID_MS)
  expect(signed).toEqual([transferTypedData({ ...terms, requestId: 'request-0', deadline }, GATEWAY)])
  expect(sent).toEqual([
    {
      to: terms.to,
      asset: 'USDT',
      amount: '12.5',
      requestId: 'request-0',
      deadline: '2026-03-01T12:05:00.000Z',
      signature: '0x1234',
    },
  ])
  expect(flow.get()?.step).toEqual({ kind: 'done', transfer: made })
  expect(store.size).toBe(0)
})

describe('nothing is sent', () => {
  test('when the wallet refuses, fails, or is somewhere else', async () => {
    const { flow, review, confirm } = open()
    review(terms)
    refusal = new WalletError('refused', 'no')
    await confirm()
    expect(flow.get()?.step).toEqual({ kind: 'refused' })
    refusal = new Error('broken')
    await confirm()
    expect(flow.get()?.step).toEqual({ kind: 'notSigned', why: 'failed' })
    ready = false
    await confirm()
    expect(flow.get()?.step).toEqual({ kind: 'review' })
    expect([sent, store.size]).toEqual([[], 0])
  })

  test('when the sheet was closed before the wallet answered', async () => {
    const { flow, review, confirm, close } = open()
    review(terms)
    const confirming = confirm()
    close()
    await confirming
    review({ ...terms })
    expect([signed.length, sent.length, store.size]).toEqual([1, 0, 0])
    expect(flow.get()?.step).toEqual({ kind: 'review' })
  })

  test('by a second tap while the first is under way', async () => {
    const { review, confirm } = open()
    review(terms)
    await Promise.all([confirm(), confirm()])
    expect([signed.length, sent.length]).toEqual([1, 1])
  })
})

describe('an answer', () => {
  test('that refuses is shown, and the next try is a new request', async () => {
    const { flow, review, confirm } = open()
    answers = [() => Promise.reject(new ApiError(4201, '餘額不足'))]
    review(terms)
    await confirm()
    expect(flow.get()?.step).toEqual({ kind: 'failed', message: '餘額不足' })
    expect(store.size).toBe(0)
    await confirm()
    expect(sent.map(({ requestId }) => requestId)).toEqual(['request-0', 'request-1'])
  })

  test.each([
    ['no answer', lost],
    ['a fault of the server', () => Promise.reject(new ApiError(500, 'oops'))],
    ['too many requests', () => Promise.reject(new ApiError(429, 'slow down'))],
  ])('that leaves it open (%s) is asked for again with the same signature', async (_what, answer) => {
    const { flow, review, confirm, askAgain } = open()
    answers = [answer, lost]
    review(terms)
    await confirm()
    expect(flow.get()?.step).toEqual({ kind: 'noAnswer' })
    await askAgain()
    expect(flow.get()?.step).toEqual({ kind: 'noAnswer' })
    await askAgain()
    expect(flow.get()?.step).toEqual({ kind: 'done', transfer: made })
    expect(signed).toHaveLength(1)
    expect(sent).toEqual([sent[0], sent[0], sent[0]])
  })

  test('that never came is asked for after a reload, by the account that signed and no other', async () => {
    const before = open()
    answers = [lost]
    before.review(terms)
    await before.confirm()
    const after = open()
    expect(after.resume('0x0000000000000000000000000000000000000009')).toBe(false)
    expect(after.resume(terms.from)).toBe(true)
    expect(after.flow.get()).toEqual({ terms, step: { kind: 'noAnswer' } })
    await after.askAgain()
    expect(after.flow.get()?.step).toEqual({ kind: 'done', transfer: made })
    expect(after.resume(terms.from)).toBe(false)
  })

  test('of a storage that holds nonsense is nothing to ask for', () => {
    for (const nonsense of ['{"input":{"amount":"x"}}', '{}', 'null', '7']) {
      store.set('transfer', `{"${terms.from}":${nonsense}}`)
      expect(open().resume(terms.from)).toBe(false)
    }
    store.set('transfer', '[')
    expect(open().resume(terms.from)).toBe(false)
  })
})
