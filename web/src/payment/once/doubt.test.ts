import { expect, test } from 'vitest'
import { doubtOf } from './doubt.ts'

const asked = (nonce: number | null) => ({ reference: 'ORDER1', at: 0, nonce })

test.each([
  ['nothing speaks for it', { latest: 3, pending: 3 }, null, null],
  ['the account has a transaction that waits', { latest: 3, pending: 4 }, null, 'pay.doubt.waiting'],
  [
    'the account has sent something since the wallet was asked',
    { latest: 4, pending: 4 },
    asked(3),
    'pay.doubt.sentSince',
  ],
  ['what it has sent waits', { latest: 3, pending: 4 }, asked(3), 'pay.doubt.sentSince'],
  ['a wallet whose node knows of nothing that waits', { latest: 4, pending: null }, asked(3), 'pay.doubt.sentSince'],
  ['the wallet was asked and nothing was sent', { latest: 3, pending: 3 }, asked(3), 'pay.doubt.open'],
  ['another transaction waits since before it was asked', { latest: 2, pending: 3 }, asked(3), 'pay.doubt.waiting'],
  ['the chain cannot be asked', { latest: null, pending: null }, asked(null), 'pay.doubt.open'],
  ['neither', { latest: null, pending: null }, null, null],
])('%s', (_name, counts, before, doubt) => {
  expect(doubtOf(counts, before)).toBe(doubt)
})
