import { expect, test } from 'vitest'
import { apiTexts } from '@candela/protocol/texts/api-texts'
import { shownMs } from './toast.tsx'

test('a short toast stays for a moment, a longer one long enough to be read, none for ever', () => {
  expect(shownMs('已複製')).toBe(3_200)
  expect(shownMs('Copied')).toBe(3_200)
  const [chinese, english] = [shownMs(apiTexts.tw.codes.ourFault), shownMs(apiTexts.en.codes.ourFault)]
  expect(Math.min(chinese, english)).toBeGreaterThan(3_500)
  // The same said in either language stays about as long.
  expect(Math.abs(chinese - english)).toBeLessThan(1_500)
  expect(shownMs('x'.repeat(500))).toBe(10_000)
})
