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

test('without storage no payment prevents another', () => {
  const sent = createSentPayments(forbiddenStorage)
  sent.sent('ORDER1', '0xhash', 0)
  expect(sent.hashOf('ORDER1', 0)).toBeNull()
})
