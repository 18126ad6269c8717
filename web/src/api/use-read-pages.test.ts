import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { replaceTransport, wireApi } from './call.ts'
import { pagesOptions, REFRESHED_PAGES } from './use-read-pages.ts'

wireApi({
  token: () => '',
  language: () => 'en',
  sessionEnded: vi.fn(),
  notify: vi.fn(),
  describe: (problem) => problem,
})

/** The items that the service has, newest first; pages of ten. */
let ids: number[]
let asked: string[]
beforeEach(() => {
  ids = Array.from({ length: 200 }, (_, index) => 1_000 - index)
  asked = []
  replaceTransport((request) => {
    const cursor = request.fields['cursor'] ?? null
    asked.push(cursor ?? 'first')
    const rest = cursor === null ? ids : ids.filter((id) => id < Number(cursor))
    const items = rest.slice(0, 10)
    const nextCursor = rest.length > 10 ? String(items.at(-1)) : null
    return Promise.resolve({ code: 200, message: '', data: { items: items.map((id) => ({ id })), nextCursor } })
  })
})

/** A list that was scrolled to so many pages. */
async function scrolled(pages: number) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const options = pagesOptions('GET exchange/list', {})
  const observer = new InfiniteQueryObserver(client, options)
  const shown = () =>
    observer.getCurrentResult().data?.pages.flatMap(({ items }) => items.map((item) => Number(Reflect.get(item, 'id'))))
  const stop = observer.subscribe(() => undefined)
  await observer.refetch()
  for (let page = 1; page < pages; page++) await observer.fetchNextPage()
  expect(shown()).toEqual(ids.slice(0, pages * 10))
  asked = []
  return { observer, shown, stop, askForOnePage: options.askForOnePage }
}

test('a list that was scrolled far asks for its first pages when it is shown again, and stays as long as it was', async () => {
  const { observer, shown, stop } = await scrolled(15)
  await observer.refetch()
  expect(asked).toHaveLength(REFRESHED_PAGES)
  expect(shown()).toEqual(ids.slice(0, 150))
  expect(observer.getCurrentResult().hasNextPage).toBe(true)
  await observer.fetchNextPage()
  expect(shown()).toEqual(ids.slice(0, 160))
  stop()
})

test('a return to the tab asks for the first page alone', async () => {
  const { observer, shown, stop, askForOnePage } = await scrolled(15)
  ids.unshift(1_001)
  askForOnePage()
  await observer.refetch()
  expect(asked).toEqual(['first'])
  expect(shown()).toEqual(ids.slice(0, 151))
  // And any other refresh for as many as before.
  await observer.refetch()
  expect(asked).toHaveLength(1 + REFRESHED_PAGES)
  expect(shown()).toEqual(ids.slice(0, 151))
  await observer.fetchNextPage()
  expect(shown()).toEqual(ids.slice(0, 161))
  stop()
})

test('where some new lines came the list keeps its length, without a gap', async () => {
  const { observer, shown, stop } = await scrolled(15)
  ids.unshift(1_002, 1_001)
  await observer.refetch()
  expect(asked).toHaveLength(REFRESHED_PAGES)
  expect(shown()).toEqual(ids.slice(0, 152))
  stop()
})

test('where more came than its first pages hold it is cut after them, without a gap, and grows again', async () => {
  const { observer, shown, stop } = await scrolled(15)
  ids.unshift(...Array.from({ length: 35 }, (_, index) => 1_035 - index))
  await observer.refetch()
  expect(asked).toHaveLength(REFRESHED_PAGES)
  expect(shown()).toEqual(ids.slice(0, REFRESHED_PAGES * 10))
  expect(observer.getCurrentResult().hasNextPage).toBe(true)
  await observer.fetchNextPage()
  await observer.fetchNextPage()
  expect(shown()).toEqual(ids.slice(0, (REFRESHED_PAGES + 2) * 10))
  stop()
})

test('a short list is asked for whole, and one that became shorter ends where it ends', async () => {
  const { observer, shown, stop } = await scrolled(2)
  ids.unshift(1_001)
  await observer.refetch()
  expect(asked).toHaveLength(2)
  expect(shown()).toEqual(ids.slice(0, 20))
  ids = ids.slice(0, 15)
  await observer.refetch()
  expect(shown()).toEqual(ids)
  expect(observer.getCurrentResult().hasNextPage).toBe(false)
  stop()
})
