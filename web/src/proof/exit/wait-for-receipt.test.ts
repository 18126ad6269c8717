import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ExitError } from './exit-error.ts'
import { waitForReceipt } from './wait-for-receipt.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A node that answers these one after the other. */
function node(...answers: ({ status: unknown } | null)[]) {
  const asked: unknown[] = []
  const ask = (method: string, params: readonly unknown[]) => {
    asked.push([method, ...params])
    return Promise.resolve(answers[asked.length - 1])
  }
  return { ask, asked }
}

test.each(['0x1', 1])('a transaction with the status %s has worked, once it is in a block', async (status) => {
  const { ask, asked } = node(null, null, { status })
  const waiting = waitForReceipt(ask, '0xab')
  await vi.runAllTimersAsync()
  await waiting
  expect(asked).toEqual(Array.from({ length: 3 }, () => ['eth_getTransactionReceipt', '0xab']))
})

test.each(['0x0', 0])('one with the status %s did nothing', async (status) => {
  await expect(waitForReceipt(node({ status }).ask, '0xab')).rejects.toEqual(new ExitError('reverted'))
})
