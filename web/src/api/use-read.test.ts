import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { MAX_UNUSED_ANSWERS, queryClient } from './use-read.ts'

afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
})

test('what a hidden screen shows is there when it is shown again, however late', () => {
  vi.useFakeTimers()
  queryClient.setQueryData(['GET user/info', {}], 'figures')
  vi.advanceTimersByTime(24 * 60 * 60_000)
  expect(queryClient.getQueryData(['GET user/info', {}])).toBe('figures')
})

const key = (index: number) => ['GET transfer/recipient', { to: String(index) }]

test('of answers that nothing shows the oldest go first, so that typing does not fill the memory', () => {
  const observer = new QueryObserver(queryClient, { queryKey: key(0), enabled: false })
  const stop = observer.subscribe(() => {})
  for (let index = 0; index < MAX_UNUSED_ANSWERS + 50; index++)
    queryClient.setQueryData(key(index), index, { updatedAt: index + 1 })
  // The cache looks when an answer comes, before it has it.
  expect(queryClient.getQueryCache().getAll().length).toBeLessThanOrEqual(MAX_UNUSED_ANSWERS + 2)
  expect(queryClient.getQueryData(key(MAX_UNUSED_ANSWERS + 49))).toBe(MAX_UNUSED_ANSWERS + 49)
  expect(queryClient.getQueryData(key(1))).toBeUndefined()
  expect(queryClient.getQueryData(key(0)), 'it is on screen').toBe(0)
  stop()
})
