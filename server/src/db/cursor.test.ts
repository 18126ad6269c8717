import { codes } from '@candela/protocol/codes/codes'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cursorCodec } from './cursor.ts'

const codec = cursorCodec('flag', 'count', 'time', 'id')
const refusal = expect.objectContaining({ code: codes.invalidInput, params: { field: 'cursor' } })

test('the first page has no cursor', () => {
  expect(codec.parse(undefined)).toBeUndefined()
})

test('a cursor is read as what it was made of', () => {
  expect(codec.format([true, 12, new Date(1_000), 7n])).toBe('1-12-1000-7')
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.nat({ max: 999_999_999 }),
      fc.date({ min: new Date(0), max: new Date(999_999_999_999_999), noInvalidDate: true }),
      fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
      (flag, count, time, id) => {
        expect(codec.parse(codec.format([flag, count, time, id]))).toEqual([flag, count, time, id])
      },
    ),
  )
})

describe('a text that this list did not make is bad input', () => {
  test.each([
    '',
    '7',
    '1-12-1000',
    '1-12-1000-7-7',
    '2-12-1000-7',
    '1--12-1000-7',
    '1-12-1000-0',
    '1-12-1000-07',
    '1-12-1000--7',
    '1-1.5-1000-7',
    '1-12-1e3-7',
    '1-12-1000-0x7',
    '1-12-1000-٧',
    ' 1-12-1000-7',
    '1-12-1000-7\n',
    "1-12-1000-7'",
  ])('%j', (text) => {
    expect(() => codec.parse(text)).toThrow(refusal)
  })

  test('any text that is read is one that is written', () => {
    const digits = fc.stringMatching(/^[0-9-]{0,24}$/)
    const id = cursorCodec('id')
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (text) => {
        let values
        try {
          values = id.parse(text)
        } catch (error) {
          expect(error).toEqual(refusal)
          return
        }
        expect(values && id.format(values)).toBe(text)
      }),
    )
  })
})

test('what is too large for its SQL type is refused, and the largest that is read fits it', () => {
  expect(() => cursorCodec('id').parse('9'.repeat(19))).toThrow(refusal)
  expect(() => cursorCodec('count').parse('9'.repeat(10))).toThrow(refusal)
  expect(() => cursorCodec('time').parse('9'.repeat(16))).toThrow(refusal)

  const [id = 0n] = cursorCodec('id').parse('9'.repeat(18)) ?? []
  expect(id).toBeLessThan(2n ** 63n)
  const [count = 0] = cursorCodec('count').parse('9'.repeat(9)) ?? []
  expect(count).toBeLessThan(2 ** 31)
  const [time] = cursorCodec('time').parse('9'.repeat(15)) ?? []
  // The last year of a Postgres timestamp is 294276.
  expect(time?.getUTCFullYear()).toBe(33_658)
})
