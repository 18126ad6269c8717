import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak_256 } from '@noble/hashes/sha3.js'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { assert, AssertionFailed, must } from './assert.ts'
import { fakeClock, movedClock, systemClock } from './clock.ts'
import { AppError, invalidInput, isAppError } from './errors.ts'
import { seededIds, systemIds, timeOfId, uuidFromName } from './ids.ts'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { keccak256 } from './keccak.ts'
import { createSharedReads } from './shared-reads.ts'
import { keptLog } from '@candela/testing/server/kept-log'

const uuidPattern = (version: number) =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

function draw(seed: string): string[] {
  const ids = seededIds(seed, fakeClock())
  return [ids.uuid(), ids.token(), ids.orderNumber(), ids.uuid()]
}

describe('clock', () => {
  test('a file moves the clock of a development installation; what is no number is said', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'candela-clock-'))
    const file = join(folder.path, 'offset')
    const aheadMs = () => movedClock(file).now().getTime() - systemClock.now().getTime()
    expect(Math.abs(aheadMs())).toBeLessThan(HANGS_AFTER_MS)
    await writeFile(file, '86400000')
    expect(Math.abs(aheadMs() - 86_400_000)).toBeLessThan(HANGS_AFTER_MS)
    await writeFile(file, 'a day')
    expect(aheadMs).toThrow('does not hold a number of milliseconds')
  })

  test('a fake clock moves only when told', () => {
    const clock = fakeClock('2026-02-03T04:05:06Z')
    expect(clock.now().toISOString()).toBe('2026-02-03T04:05:06.000Z')
    clock.advance(1500)
    expect(clock.now().toISOString()).toBe('2026-02-03T04:05:07.500Z')
    expect(() => clock.set('yesterday')).toThrow('not a time: yesterday')
  })
})

describe('ids', () => {
  test('a uuid carries the time of its clock and sorts by it', () => {
    const clock = fakeClock()
    const ids = systemIds(clock)
    const first = ids.uuid()
    clock.advance(1)
    const second = ids.uuid()
    expect(first).toMatch(uuidPattern(7))
    expect(Number.parseInt(first.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse('2026-01-01T00:00:00Z'))
    expect(first < second).toBe(true)
  })

  test('tokens have 256 bits and order numbers a date and ten characters', () => {
    const ids = systemIds(fakeClock())
    expect(Buffer.from(ids.token(), 'base64url')).toHaveLength(32)
    expect(ids.orderNumber()).toMatch(/^20260101[0-9A-HJKMNP-TV-Z]{10}$/)
    expect(new Set(Array.from({ length: 1000 }, () => ids.orderNumber())).size).toBe(1000)
  })

  test('a seed repeats, another seed does not', () => {
    expect(draw('a')).toEqual(draw('a'))
    expect(new Set([...draw('a'), ...draw('b')]).size).toBe(8)
  })

  test('a name always gives the same uuid', () => {
    expect(uuidFromName('chain:1')).toMatch(uuidPattern(8))
    expect(uuidFromName('chain:1')).toBe(uuidFromName('chain:1'))
    expect(uuidFromName('chain:1')).not.toBe(uuidFromName('chain:2'))
  })

  test('the uuid of a name with a time begins with its second', () => {
    const id = uuidFromName('income:2026-11-30', new Date('2026-11-30T00:00:00.999Z'))
    expect(id).toMatch(uuidPattern(8))
    expect(id.slice(0, 8)).toBe((Date.UTC(2026, 10, 30) / 1_000).toString(16))
    expect(id).not.toBe(uuidFromName('income:2026-12-01', new Date('2026-11-30T00:00:00.999Z')))
    expect(id.slice(9)).toBe(uuidFromName('income:2026-11-30').slice(9))
  })

  test.each([
    ['before ids had a time', new Date('2026-11-23T23:59:59.999Z')],
    ['no time', new Date(Number.NaN)],
    ['a time of before 1970', new Date(-1)],
    ['a time that 32 bits do not hold', new Date('2106-02-07T06:28:16Z')],
  ])('the uuid of a name stays as it was: %s', (_, at) => {
    expect(uuidFromName('chain:1', at)).toBe(uuidFromName('chain:1'))
    expect(uuidFromName('chain:1')).toBe('f6876a6d-6586-8747-9f6a-93d31d3a9cac')
  })

  test('an id says when it was made, where it can', () => {
    const at = new Date('2026-11-30T12:34:56.789Z')
    const ids = systemIds(fakeClock(at.toISOString()))
    expect(timeOfId(ids.uuid())).toEqual(at)
    expect(timeOfId(ids.uuid().replaceAll('-', '').toUpperCase())).toEqual(at)
    expect(timeOfId(ids.orderNumber())).toEqual(new Date('2026-11-30T00:00:00Z'))
    for (const none of ['', 'request-1', uuidFromName('chain:1', at), ids.token(), `${ids.uuid()}0`, '20261130'])
      expect(timeOfId(none)).toBeUndefined()
    // A client cannot change this: the same text has the same time.
    expect(uuidFromName('x', timeOfId('20269999AAAAAAAAAA'))).toMatch(uuidPattern(8))
  })
})

describe('errors and assertions', () => {
  test('an AppError keeps its code and parameters', () => {
    const error = invalidInput('amount', 'tooManyDecimals')
    expect(error).toMatchObject({ code: 400, params: { field: 'amount', reason: 'tooManyDecimals' } })
    expect(isAppError(error, 400)).toBe(true)
    expect(isAppError(error, 401)).toBe(false)
    expect(new AppError(4201).message).toBe('code 4201')
  })

  test('assert and must stop on what cannot be', () => {
    expect(() => assert(false, 'broken')).toThrow(AssertionFailed)
    expect(must(0, 'never')).toBe(0)
    expect(() => must(undefined, 'no row')).toThrow('no row')
  })
})

test('the log replaces secrets wherever they are named', () => {
  const { log, lines } = keptLog('info')
  log.info(
    {
      event: 'server.started',
      token: 'SECRET',
      request: { headers: { authorization: 'SECRET' }, signature: 'SECRET' },
      order: 'kept',
    },
    'hello',
  )
  const written = lines.join('')
  expect(written).not.toContain('SECRET')
  expect(written).toContain('kept')
  expect(written.match(/\[secret\]/g)).toHaveLength(3)
})

test('a line of the log stays one line, whatever others put into it', () => {
  const { log, lines } = keptLog('info')
  const forged = 'seen\n{"level":30,"msg":"withdrawal approved"}\r\n\u001b[2J\u0000'
  log.info({ event: 'call.answered', userAgent: forged, [forged]: 1, err: new Error(forged) }, forged)
  const written = lines.join('')
  expect(written.trimEnd().split(/[\r\n]/)).toHaveLength(1)
  expect(Buffer.from(written.trimEnd()).filter((byte) => byte < 0x20)).toHaveLength(0)
  expect(JSON.parse(written)).toMatchObject({ userAgent: forged, msg: forged })
})

const at = (ms: number) => new Date(ms)

describe('reads that are shared', () => {
  test('a key is read once while its answer is kept, also when the clock is set back', async () => {
    const read = vi.fn(async (key: string) => key)
    const shared = createSharedReads({ keep_ms: 1_000, maxKept: 2 }, read)
    expect(await Promise.all([shared('a', at(5_000)), shared('a', at(5_999))])).toEqual(['a', 'a'])
    expect(read).toHaveBeenCalledTimes(1)
    await shared('a', at(6_000))
    expect(read).toHaveBeenCalledTimes(2)
    await shared('a', at(4_000))
    expect(read).toHaveBeenCalledTimes(3)
  })

  test('so many answers are kept, those read last', async () => {
    const read = vi.fn(async (key: string) => key)
    const shared = createSharedReads({ maxKept: 2 }, read)
    for (const key of ['a', 'b', 'c', 'b', 'c']) await shared(key, at(0))
    expect(read).toHaveBeenCalledTimes(3)
    await shared('a', at(0))
    expect(read).toHaveBeenCalledTimes(4)
  })

  test('a failure is told to all who wait and not kept; a later answer under its key stays', async () => {
    const slow = Promise.withResolvers<string>()
    const read = vi.fn((key: string) => Promise.resolve(key)).mockReturnValueOnce(slow.promise)
    const shared = createSharedReads({ keep_ms: 1_000, maxKept: 2 }, read)
    const failing = Promise.allSettled([shared('a', at(0)), shared('a', at(0))])
    expect(await shared('a', at(2_000))).toBe('a')
    slow.reject(new Error('no database'))
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await shared('a', at(2_000))).toBe('a')
    expect(read).toHaveBeenCalledTimes(2)
    read.mockRejectedValueOnce(new Error('no database'))
    await expect(shared('b', at(0))).rejects.toThrow('no database')
    expect(await shared('b', at(0))).toBe('b')
  })
})

test('keccak256: bytes of any length have the hash that the protocol’s library makes of them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(keccak256(bytes)).toEqual(keccak_256(bytes))
    }),
  )
})
