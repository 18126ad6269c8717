import { describe, expect, test } from 'vitest'
import { type NumberedCall, readAnswers } from './read-answers.ts'

const calls: NumberedCall[] = [
  { id: 7, method: 'eth_chainId' },
  { id: 8, method: 'eth_gasPrice' },
  { id: 9, method: 'eth_getBalance' },
]
const one = calls.slice(0, 1)
const answer = (id: unknown, result: unknown = '0x1') => ({ jsonrpc: '2.0', id, result })
const error = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })
const read = (asked: readonly NumberedCall[], body: unknown, status = 200) =>
  readAnswers(asked, status, typeof body === 'string' ? body : JSON.stringify(body))
const failureOf = (asked: readonly NumberedCall[], body: unknown, status = 200): string => {
  try {
    return JSON.stringify(read(asked, body, status))
  } catch (caught) {
    const { failure, message } = caught as { failure: string; message: string }
    return `${failure}: ${message}`
  }
}

test('answers come in the order of the calls, whatever their own order is', () => {
  const shuffled = [answer(9, '0xc'), answer(7, '0xa'), error(8, 3, 'execution reverted')]
  expect(read(calls, shuffled)).toEqual({
    answers: [{ result: '0xa' }, { error: { code: 3, message: 'execution reverted' } }, { result: '0xc' }],
  })
  expect(read(one, answer(7, null))).toEqual({ answers: [{ result: null }] })
  expect(read(one, { ...answer(7), error: null })).toEqual({ answers: [{ result: '0x1' }] })
})

test.each<[string, unknown[], string]>([
  ['missing', [answer(7), answer(9)], 'no answer to eth_gasPrice among those to 3 calls'],
  ['missing, all of them', [], 'no answer to eth_chainId among those to 3 calls'],
  ['double', [answer(7), answer(8), answer(8), answer(9)], 'two answers to one call'],
  ['double in place of another', [answer(7), answer(8), answer(8)], 'two answers to one call'],
  ['unasked', [answer(7), answer(8), answer(9), answer(10)], 'an answer to a call that was not made'],
  ['unasked in place of another', [answer(7), answer(8), answer(10)], 'an answer to a call that was not made'],
  ['of an id that is text', [answer(7), answer('8'), answer(9)], 'an answer to a call that was not made'],
  ['of no id', [answer(7), answer(null), answer(9)], 'an answer to a call that was not made'],
  ['null', [answer(7), null, answer(9)], 'something that is no answer'],
  ['a text', [answer(7), '0x1', answer(9)], 'something that is no answer'],
  ['neither', [answer(7), { id: 8 }, answer(9)], 'an answer with neither a result nor an error'],
  [
    'both',
    [answer(7), { ...answer(8), error: { code: 1, message: '' } }, answer(9)],
    'with both a result and an error',
  ],
  ['an error without code', [answer(7), { id: 8, error: { message: 'no' } }, answer(9)], 'an error without a code'],
])('a batch with an answer that is %s is refused as a whole', (_name, body, words) => {
  expect(failureOf(calls, body)).toContain(`badAnswer: the node gave `)
  expect(failureOf(calls, body)).toContain(words)
})

test('a batch of which each call fails is no refusal of the batch', () => {
  const failed = calls.map(({ id }) => error(id, 3, 'execution reverted'))
  expect(read(calls, failed)).toEqual({ answers: failed.map((answered) => ({ error: answered.error })) })
})

test('a single answer has the id of its call', () => {
  expect(failureOf(one, answer(8))).toContain('badAnswer: the node gave an answer to a call that was not made')
  expect(failureOf(one, {})).toContain('badAnswer: the node gave an answer to a call that was not made')
  expect(failureOf(one, [answer(7)])).toBe('badAnswer: the node gave a list as one answer')
  expect(failureOf(calls, answer(7))).toBe('badAnswer: the node gave one answer to several calls')
  expect(failureOf(one, 'null')).toContain('badAnswer: the node gave something that is no answer')
})

describe('what is no JSON-RPC is named as what it is', () => {
  test.each<[string, number, string, string]>([
    ['an empty answer', 204, '', 'badAnswer: the node gave an empty answer (HTTP 204)'],
    [
      'a web page',
      200,
      '\n<!doctype html><title>busy',
      'badAnswer: the node gave a web page (HTML) instead of an answer',
    ],
    [
      'cut JSON',
      200,
      '[{"jsonrpc":"2.0","id":7,"res',
      'badAnswer: the node gave an answer that is cut off or is no JSON',
    ],
    ['text', 200, 'service moved', 'badAnswer: the node gave plain text instead of an answer: "service moved"'],
    ['text of a limit', 200, 'Too Many Requests', 'limited: the node says "Too Many Requests"'],
    ['an error in words', 200, '{"error":"quota"}', 'limited: the node says "quota"'],
    [
      'an error in other words with 429',
      429,
      '{"error":"come back later"}',
      'limited: the node says "come back later"',
    ],
    ['a web page with 429', 429, '<html>', 'limited: HTTP 429'],
    ['a web page with 502', 502, '<html>', 'unreachable: HTTP 502'],
    ['JSON with 503', 503, '{}', 'unreachable: HTTP 503'],
    ['an error with 500', 500, '{"error":{"code":-32603,"message":"busy"}}', 'refused: busy'],
    ['an error with 403', 403, '{"error":"no such key"}', 'refused: the node says "no such key"'],
  ])('%s', (_name, status, body, failure) => {
    expect(failureOf(one, body, status)).toContain(failure)
    expect(failureOf(calls, body, status)).toContain(failure)
  })
})

test('a refusal of so many calls in one request is told apart from one of a call and from a limit', () => {
  const tooLarge = error(null, -32_600, 'batch size too large')
  for (const body of [tooLarge, [tooLarge], [error(7, -32_600, 'batch too large')]]) {
    expect(read(calls, body)).toEqual({ tooMany: expect.stringMatching(/^batch (?:size )?too large$/) as string })
  }
  // A server that knows no batches finds no call in a list.
  expect(read(calls, error(null, -32_700, 'parse error'), 400)).toEqual({ tooMany: 'parse error' })
  expect(read(calls, '<html>', 413)).toEqual({ tooMany: 'HTTP 413' })
  // geth answers those that no longer fit with an error each.
  const cut = [answer(7), error(8, -32_003, 'response too large'), error(9, -32_003, 'response too large')]
  expect(read(calls, cut)).toEqual({ tooMany: 'response too large' })
  expect(failureOf(calls, error(null, 429, 'slow down'))).toBe('limited: slow down')
  expect(failureOf(calls, error(null, -32_005, 'daily request count exceeded'))).toBe(
    'limited: daily request count exceeded',
  )
  expect(failureOf(one, error(null, -32_600, 'batch too large'))).toBe('refused: batch too large')
  expect(read(one, error(7, -32_005, 'more than 10000 results'))).toMatchObject({
    answers: [{ error: { code: -32_005 } }],
  })
})
