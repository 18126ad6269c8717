import { expect, test } from 'vitest'
import { fakeClock } from '../kernel/clock.ts'
import { dailyClose } from './daily-close.ts'

test('from ten past midnight on it closes the day before, and until then the one before that', async () => {
  const clock = fakeClock('2026-03-02T00:09:59.999Z')
  const asked: string[] = []
  const close = (upTo: string) => {
    asked.push(upTo)
    return Promise.resolve({ closed: [upTo], waits: null })
  }
  const task = dailyClose(close, () => Promise.resolve(10), clock)
  expect(await task.run()).toEqual({ closed: 1 })
  clock.advance(1)
  await task.run()
  clock.set(new Date('2026-03-02T23:59:59.999Z'))
  await task.run()
  expect(asked).toEqual(['2026-02-28', '2026-03-01', '2026-03-01'])
  // Every minute, so that what had to wait is looked at again, and the fund is not closed for longer than that.
  expect(task.match).toBe('* * * * *')
})

test('the operator can ask for more time to deposit', async () => {
  const clock = fakeClock('2026-03-02T05:59:59.999Z')
  const asked: string[] = []
  const close = (upTo: string) => Promise.resolve({ closed: asked.splice(0, 0, upTo), waits: null })
  await dailyClose(close, () => Promise.resolve(360), clock).run()
  expect(asked).toEqual(['2026-02-28'])
})
