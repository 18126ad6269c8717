import { transferTypedData, type TransferTypedData } from '@candela/protocol/chain/typed-data'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '@candela/client/errors'
import { NotSent } from '../../command/send-command.ts'
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

let earlier: boolean
let signed: TransferTypedData[]
let sent: Parameters<FlowDeps['send']>[]
let answers: (() => Promise<{ transfer: typeof made }>)[]
let refusal: Error | null
let ready: boolean
beforeEach(() => {
  earlier = false
  signed = []
  sent = []
  answers = []
  refusal = null
  ready = true
})

const open = () =>
  createTransferFlow({
    showsEarlier: () => earlier,
    gateway: () => Promise.resolve(GATEWAY),
    ready: () => Promise.resolve(ready),
    sign: (data) => {
      if (refusal !== null) return Promise.reject(refusal)
      signed.push(data)
      return Promise.resolve('0x1234')
    },
    send: (...asked) => {
      sent.push(asked)
      return (answers.shift() ?? (() => Promise.resolve({ transfer: made })))()
    },
    newRequestId: () => `request-${signed.length}`,
    now: () => NOW,
  })

test('signs exactly what was reviewed, sends it, and ends with the receipt', async () => {
  const { flow, review, confirm } = open()
  review(terms)
  expect(flow.get()?.step).toEqual({ kind: 'review' })
  await confirm()
  const deadline = new Date(NOW + VALID_MS)
  expect(signed).toEqual([transferTypedData({ ...terms, requestId: 'request-0', deadline }, GATEWAY)])
  expect(sent).toEqual([
    [
      { to: terms.to, asset: 'USDT', amount: '12.5', deadline: '2026-03-01T12:05:00.000Z', signature: '0x1234' },
      { requestId: 'request-0', about: { to: terms.to, toUid: '10002', asset: 'USDT', amount: '12.5' } },
    ],
  ])
  expect(flow.get()?.step).toEqual({ kind: 'done', transfer: made })
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
    expect(sent).toEqual([])
  })

  test('when the sheet was closed before the wallet answered', async () => {
    const { flow, review, confirm, close } = open()
    review(terms)
    const confirming = confirm()
    close()
    await confirming
    review({ ...terms })
    expect([signed.length, sent.length]).toEqual([1, 0])
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
    await confirm()
    expect(sent.map(([, { requestId }]) => requestId)).toEqual(['request-0', 'request-1'])
  })

  test('whose outcome is not known ends the sheet, and comes before any new one', async () => {
    const { flow, review, confirm } = open()
    answers = [() => Promise.reject(new NotSent())]
    review(terms)
    await confirm()
    expect(flow.get()).toBeNull()
    earlier = true
    review(terms)
    expect(flow.get()).toBeNull()
  })

  test('to what an account has sent is not shown to another one', async () => {
    const { flow, review, confirm, leave } = open()
    review(terms)
    await confirm()
    leave(terms.from.toUpperCase().replace('X', 'x'))
    expect(flow.get()?.step.kind).toBe('done')
    leave('0x0000000000000000000000000000000000000009')
    expect(flow.get()).toBeNull()
  })
})
