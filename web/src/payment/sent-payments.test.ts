import { expect, test } from 'vitest'
import { memoryStorage } from '../lib/storage.ts'
import { forbiddenStorage } from '../lib/testing-storage.ts'
import { createSentPayments, SENT_TRUSTED_MS } from './sent-payments.ts'

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

test('a prompt that was left is remembered until it has paid', () => {
  const sent = createSentPayments(memoryStorage())
  expect(sent.wasPromptLeft('ORDER1')).toBe(false)
  sent.promptLeft('ORDER1')
  sent.promptLeft('ORDER2')
  expect(sent.wasPromptLeft('ORDER1')).toBe(true)
  sent.sent('ORDER1', '0xhash', 0)
  sent.seen(['ORDER2'])
  expect([sent.wasPromptLeft('ORDER1'), sent.wasPromptLeft('ORDER2')]).toEqual([false, false])
})
