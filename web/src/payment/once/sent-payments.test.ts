import { expect, test } from 'vitest'
import { memoryStorage } from '../../lib/storage.ts'
import { forbiddenStorage } from '../../lib/testing-storage.ts'
import { ASKED_KEPT_MS, createSentPayments, SENT_TRUSTED_MS } from './sent-payments.ts'

test('a sent payment prevents a second one for a while, a failed one does not', () => {
  const storage = memoryStorage()
  const sent = createSentPayments(storage)
  sent.sent('ORDER1', '0xhash', 1_000)
  sent.sent('ORDER1', '0xfaster', 1_000)
  expect(createSentPayments(storage).hashOf('ORDER1', 1_000 + SENT_TRUSTED_MS - 1)).toBe('0xfaster')
  expect(createSentPayments(storage).hashOf('ORDER1', 1_000 + SENT_TRUSTED_MS)).toBeNull()
  expect(sent.hashOf('ORDER2', 1_000)).toBeNull()
  sent.failed('ORDER1')
  expect(sent.hashOf('ORDER1', 1_001)).toBeNull()
})

test('payments of one kind are listed, newest first, as long as they are trusted', () => {
  const sent = createSentPayments(memoryStorage())
  sent.sent('native:0xaa:1', '0x1', 0)
  sent.sent('native:0xbb:1', '0x2', 1)
  sent.sent('native:0xaa:2', '0x3', 2)
  expect(sent.hashesOf('native:0xaa:', 3)).toEqual(['0x3', '0x1'])
  expect(sent.hashesOf('native:0xaa:', SENT_TRUSTED_MS + 1)).toEqual(['0x3'])
  sent.failed('native:0xaa:2')
  expect(sent.hashesOf('native:0xaa:', 3)).toEqual(['0x1'])
})

test('without storage a payment is remembered as long as the page', () => {
  const sent = createSentPayments(forbiddenStorage())
  sent.sent('ORDER1', '0xhash', 0)
  expect(sent.hashOf('ORDER1', 0)).toBe('0xhash')
  expect(createSentPayments(forbiddenStorage()).hashOf('ORDER1', 0)).toBeNull()
})

test('whoever waits is told when the service has seen the payment, by whatever transaction', async () => {
  const sent = createSentPayments(memoryStorage())
  const seen: string[] = []
  const waits = ['ORDER1', 'ORDER2'].map((each) => sent.whenSeen(each).then(() => seen.push(each)))
  sent.seen(['ORDER1', 'ORDER3'])
  await waits[0]
  expect(seen).toEqual(['ORDER1'])
  sent.seen(['ORDER2'])
  await waits[1]
  expect(seen).toEqual(['ORDER1', 'ORDER2'])
})

test('what a wallet was asked for is kept through a reload, until its end is known', () => {
  const storage = memoryStorage()
  const before = createSentPayments(storage)
  const stop = before.waitFor('ORDER1')
  before.asked({ reference: 'ORDER1', at: 0, nonce: 7 })
  before.asked({ reference: 'ORDER2', at: 1, nonce: null })
  expect(before.mayBeOpen('ORDER1', 2)).toBe(false)
  stop()
  expect(before.mayBeOpen('ORDER1', 2)).toBe(true)
  const sent = createSentPayments(storage)
  expect(sent.askedFor('ORDER1', 2)).toEqual({ reference: 'ORDER1', at: 0, nonce: 7 })
  expect(sent.askedFor('ORDER1', ASKED_KEPT_MS)).toBeNull()
  sent.sent('ORDER1', '0xhash', 3)
  expect(sent.mayBeOpen('ORDER1', 4)).toBe(true)
  sent.seen(['ORDER1', 'ORDER3'])
  expect([sent.mayBeOpen('ORDER1', 4), sent.mayBeOpen('ORDER2', 4)]).toEqual([false, true])
  sent.forget('ORDER2')
  expect(createSentPayments(storage).askedFor('ORDER2', 4)).toBeNull()
  sent.asked({ reference: 'native:0xaa:1', at: 5, nonce: 1 })
  expect(sent.askedFor('native:0xaa:', 6)?.reference).toBe('native:0xaa:1')
  expect([sent.askedFor('native:0xaa', 6), sent.askedFor('native:0xab:', 6)]).toEqual([null, null])
})
