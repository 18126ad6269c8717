import { expect, test } from 'vitest'
import { readRecipient } from './recipient.ts'

const address = `0x${'aB'.repeat(20)}`
const read = address.toLowerCase()

test.each([
  [address, read],
  [` ${address}\n`, read],
  ['\u200b\u202a' + address + '\u202c\ufeff', read],
  [address.slice(0, 20) + '\u00ad' + address.slice(20), read],
  [`ethereum:${address}@210000`, read],
  [`ethereum:${address}`, read],
  [`ethereum:pay-${address}@210000?value=1e18`, read],
  [`ethereum:${address}@1`, null],
  ['\u2066１２３４５\u2069', '12345'],
  ['12 345', '12345'],
  ['0123', null],
  [`${address}00`, null],
  ['somebody', null],
  ['', null],
])('%j names %j', (text, recipient) => {
  expect(readRecipient(text)).toBe(recipient)
})
