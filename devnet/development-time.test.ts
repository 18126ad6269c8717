import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { movedClock } from '@candela/server/kernel/clock'
import { openDevelopmentTime } from './development-time.ts'

const HOUR_MS = 3_600_000

test('time that was let pass is passed for the server too, and still after a restart', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'candela-time-'))
  const file = join(folder.path, 'clock-offset')
  const time = openDevelopmentTime(file)
  const beganMs = time.nowMs()
  await time.pass(30 * HOUR_MS)
  await time.pass(HOUR_MS)
  for (const nowMs of [time.nowMs(), openDevelopmentTime(file).nowMs(), movedClock(file).now().getTime()])
    expect(nowMs - beganMs).toBeGreaterThanOrEqual(31 * HOUR_MS)
  await expect(time.pass(-1)).rejects.toThrow('not a duration')
})

test('without a file the time is the machine’s and stays it', async () => {
  const time = openDevelopmentTime(undefined)
  await expect(time.pass(HOUR_MS)).rejects.toThrow('not in production')
  expect(time.nowMs() - Date.now()).toBeLessThan(HOUR_MS)
})
