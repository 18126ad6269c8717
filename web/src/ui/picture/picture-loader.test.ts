import { expect, test } from 'vitest'
import {
  ATTEMPTS,
  CACHE_SIZE,
  createPictureLoader,
  type PictureState,
  PRELOAD_FACTOR,
  THROTTLE_MS,
} from './picture-loader.ts'

const SCREEN = 1_000

function setUp(fails: (url: string, attempt: number) => boolean = () => false) {
  const asked: string[] = []
  const scheduled: { act: () => void; after_ms: number }[] = []
  const loader = createPictureLoader({
    load(url) {
      asked.push(url)
      const attempt = asked.filter((each) => each === url).length
      return fails(url, attempt) ? Promise.reject(new Error('no picture')) : Promise.resolve()
    },
    screenHeight: () => SCREEN,
    schedule: (act, after_ms) => void scheduled.push({ act, after_ms }),
  })
  const states = new Map<string, PictureState>()
  const watch = (url: string, top: () => number = () => 0) =>
    loader.watch({ url, top, tell: (state) => void states.set(url, state) })
  const look = async () => {
    for (const { act } of scheduled.splice(0)) act()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { loader, asked, scheduled, states, watch, look }
}

test('the figures are those of the specification', () => {
  expect([PRELOAD_FACTOR, ATTEMPTS, THROTTLE_MS, CACHE_SIZE]).toEqual([1.3, 3, 200, 200])
})

test('a picture is asked for when its place is within 1.3 screens, and not before', async () => {
  const { loader, asked, watch, look } = setUp()
  let top = 1_301
  watch('a', () => top)
  await look()
  expect(asked).toEqual([])
  top = 1_300
  loader.moved()
  await look()
  expect(asked).toEqual(['a'])
})

test('however often something moves, one looks once in 200 ms', async () => {
  const { loader, scheduled, watch, look } = setUp()
  watch('a', () => 5_000)
  for (let step = 0; step < 50; step += 1) loader.moved()
  expect(scheduled.map(({ after_ms }) => after_ms)).toEqual([200])
  await look()
  loader.moved()
  expect(scheduled).toHaveLength(1)
})

test('three attempts, then the place stays without it', async () => {
  const { asked, states, watch, look } = setUp((url, attempt) => url === 'never' || attempt < 3)
  watch('third')
  watch('never')
  await look()
  expect(asked.filter((url) => url === 'never')).toHaveLength(3)
  expect(Object.fromEntries(states)).toEqual({ third: 'loaded', never: 'failed' })
})

test('200 pictures are remembered, the last ones used; one that was forgotten waits again', async () => {
  const { asked, states, watch, look } = setUp()
  for (let index = 0; index < 200; index += 1) watch(String(index))
  await look()
  watch('0')
  expect(asked).toHaveLength(200)
  watch('200')
  await look()
  states.clear()
  watch('0')
  expect(states.get('0')).toBe('loaded')
  watch('1')
  expect(states.get('1')).toBeUndefined()
  await look()
  expect(asked).toHaveLength(202)
})

test('a place that is gone asks for nothing', async () => {
  const { asked, watch, look } = setUp()
  watch('a')()
  await look()
  expect(asked).toEqual([])
})
