import * as fc from 'fast-check'
import { fromBaseUnits, MAX_INPUT_AMOUNT } from '@candela/protocol/money/money'
import { describe, expect, test } from 'vitest'
import { anyText } from '@candela/protocol/testing-any-text'
import { amountReadings, readAmount } from './read-amount.ts'

const UNIT = 10n ** 18n

/** An exact fraction. The model below works digit by digit on fractions, sharing nothing with what it checks. */
type Fraction = { top: bigint; bottom: bigint }

/** The one value that a plain decimal number has in writing, with any script's digits of our three languages; else null. */
function valueOf(text: string): Fraction | null {
  let top = 0n
  let bottom = 1n
  let [digits, points] = [0, 0]
  for (const letter of text.trim()) {
    const code = letter.codePointAt(0)!
    const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0xff10 && code <= 0xff19 ? code - 0xff10 : -1
    if (digit >= 0) {
      digits += 1
      top = top * 10n + BigInt(digit)
      if (points > 0) bottom *= 10n
    } else if (letter === '.' || letter === '．' || letter === '。' || letter === '｡') {
      points += 1
    } else {
      return null
    }
  }
  return digits > 0 && points <= 1 ? { top, bottom } : null
}

const isExactly = (amount: bigint, { top, bottom }: Fraction) => amount * bottom === top * UNIT

/** Pieces that people, keyboards, input methods and other pages put into an amount. */
const pieces = [
  ..."0 1 2 5 9 00 10 123 000 １ ２ ０ ． . , ， 。 ｡ 、 - + − － e E18 e-2 0x x n _ ' ’ ² ½ ① ٣ ३ 一 十 萬 万 %".split(
    ' ',
  ),
  ...'$ JU USDT Infinity NaN / ( ) 1,5 1.234,5 1,234.5 1e18 0x1 -0 999999999999999999999999'.split(' '),
  ...Array.from(' \u00a0\u202f\u3000\u200b\u2009\u202e\u200e\ufeff\t\n'),
]
const oneOf = (letters: string) => fc.constantFrom(...Array.from(letters))
const typed = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: oneOf('0123456789.,。，１２ '), maxLength: 40 }),
  anyText(12),
)
const runs = { numRuns: 20_000 }

describe('what people type and paste', () => {
  test.each([
    ['12.5', '12.5'],
    ['１２', '12'],
    ['１２．５', '12.5'],
    ['12。5', '12.5'],
    ['0。５', '0.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    [' 12.5 ', '12.5'],
    ['\u00a012.5\u3000\n', '12.5'],
    ['\ufeff12.5\u200b', '12.5'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['1.500000000000000000', '1.5'],
  ])('%j is %s', (text, amount) => {
    const read = readAmount(text)
    expect('amount' in read && fromBaseUnits(read.amount)).toBe(amount)
  })

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['\u00a0', 'empty'],
    ['.', 'notANumber'],
    ['。', 'notANumber'],
    ['1,5', 'separators'],
    ['1，5', 'separators'],
    ['1,', 'separators'],
    ['1.234,5', 'separators'],
    ['1,234.5', 'separators'],
    ['1 234', 'separators'],
    ['1\u00a0234', 'separators'],
    ['1\u202f234,5', 'separators'],
    ["1'000", 'separators'],
    ['1_000', 'separators'],
    ['1.234.567', 'separators'],
    ['1\n2', 'separators'],
    [' 1e18', 'notANumber'],
    ['1E5', 'notANumber'],
    ['0x1', 'notANumber'],
    ['+1', 'notANumber'],
    ['1²', 'notANumber'],
    ['½', 'notANumber'],
    ['①', 'notANumber'],
    ['٣', 'notANumber'],
    ['一', 'notANumber'],
    ['1萬', 'notANumber'],
    ['12 USDT', 'notANumber'],
    ['\u202e21', 'notANumber'],
    ['1\u200b2', 'notANumber'],
    ['Infinity', 'notANumber'],
    ['-0', 'negative'],
    ['-1', 'negative'],
    ['－１', 'negative'],
    ['− 5', 'negative'],
    ['0', 'zero'],
    ['0.000', 'zero'],
    ['０', 'zero'],
    ['0.1234567890123456789', 'tooManyDecimals'],
    ['1.0000000000000000000', 'tooManyDecimals'],
    ['1000000000000000.000000000000000001', 'tooLarge'],
    ['9'.repeat(78), 'tooLarge'],
    ['9'.repeat(5_000), 'tooLarge'],
  ])('%j is refused as %s', (text, problem) => {
    expect(readAmount(text)).toEqual({ problem })
  })

  test('either the exact amount or a refusal; never another amount', () => {
    const seen = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(typed, (text) => {
        const read = readAmount(text)
        if ('problem' in read) return void (seen.refused += 1)
        seen.taken += 1
        // A zero-width space at an end is no part of a number, and the model does not know it.
        const value = valueOf(text.replace(/^[\s\u200b]+|[\s\u200b]+$/g, ''))
        return value !== null && isExactly(read.amount, value)
      }),
      runs,
    )
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(500)
  })

  test('whatever has one value, is above zero and can be asked for is taken', () => {
    const digit = oneOf('0123456789０１２３４５６７８９')
    const part = (maxLength: number) => fc.string({ unit: digit, maxLength })
    const plain = fc
      .tuple(fc.constantFrom('', ' ', '\u3000', '\u00a0'), part(15), fc.constantFrom('.', '。', '．'), part(18))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(plain, (text) => {
        const value = valueOf(text)
        if (value === null || value.top === 0n) return fc.pre(false)
        const read = readAmount(text)
        return 'amount' in read && isExactly(read.amount, value)
      }),
      runs,
    )
  })

  test('every amount that the service writes is read back as itself', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_INPUT_AMOUNT }), (amount) => {
        expect(readAmount(fromBaseUnits(amount))).toEqual({ amount })
      }),
    )
  })
})

describe('bounds', () => {
  test('more than there is, to the last unit', () => {
    expect(readAmount('12.5', { max: 125n * 10n ** 17n })).toEqual({ amount: 125n * 10n ** 17n })
    expect(readAmount('12.500000000000000001', { max: 125n * 10n ** 17n })).toEqual({ problem: 'notEnough' })
  })

  test('whole units only, still counted in base units', () => {
    expect(readAmount('12', { decimals: 0 })).toEqual({ amount: 12n * UNIT })
    expect(readAmount('12.', { decimals: 0 })).toEqual({ amount: 12n * UNIT })
    expect(readAmount('12.5', { decimals: 0 })).toEqual({ problem: 'notWhole' })
    expect(readAmount('12.0', { decimals: 0 })).toEqual({ problem: 'notWhole' })
    expect(readAmount('1.234', { decimals: 2 })).toEqual({ problem: 'tooManyDecimals' })
  })
})

describe('what a text with separators may mean', () => {
  test.each([
    ['1,5', ['1.5']],
    ['1，5', ['1.5']],
    [',5', ['0.5']],
    ['1,234', ['1234', '1.234']],
    ['1.234,5', ['1234.5']],
    ['1,234.5', ['1234.5']],
    ['1.234.567', ['1234567']],
    ['1 234 567,89', ['1234567.89']],
    ["1'000", ['1000']],
    ['12,34,567.5', ['1234567.5']],
    ['1.2.3', []],
    ['1 2', []],
    ['0,0', []],
  ])('%j: %j', (text, readings) => {
    expect(amountReadings(text)).toEqual(readings)
  })

  test('every offer has the digits that were typed, in their order, and is taken as it stands', () => {
    const separated = fc.string({ unit: oneOf("0123456789.,， '"), maxLength: 16 })
    fc.assert(
      fc.property(separated, (text) => {
        for (const reading of amountReadings(text)) {
          expect('amount' in readAmount(reading)).toBe(true)
          expect(reading.replace(/\D/g, '').replace(/^0+/, '')).toBe(text.replace(/[^0-9]/g, '').replace(/^0+/, ''))
        }
      }),
      runs,
    )
  })
})
