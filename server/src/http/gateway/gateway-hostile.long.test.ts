import { randomBytes } from 'node:crypto'
import { encrypt, resign, type SealedForm as Form, sealForm } from '@candela/protocol/envelope/testing-envelope'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { heapInUse } from '../../api/testing/heap-in-use.ts'
import { createTestApp, TEST_TOKEN } from '../testing/test-app.ts'

const ENVELOPES = 10_000
const MB = 2 ** 20

function flip(text: string, at: number): string {
  const place = at % text.length
  const other = text[place] === 'a' ? 'b' : 'a'
  return text.slice(0, place) + other + text.slice(place + 1)
}

/**
 * The attacks on an envelope that was seen, whose key travels beside it: send it again, send it later, cut it, change it with or
 * without a new signature, or put parts of two together.
 */
const attacks: Record<string, (seen: Form, other: Form, at: number) => Partial<Form>> = {
  replayed: (seen) => seen,
  'signed anew for another time': (seen, _, at) =>
    resign({ ...seen, timestamp: String(Number(seen.timestamp) + (at % 1_000)) }),
  'stale under a new key': (_, fresh, at) =>
    resign({ ...fresh, timestamp: String(Number(fresh.timestamp) - 120_001 - at) }),
  'from the future': (_, fresh, at) => resign({ ...fresh, timestamp: String(Number(fresh.timestamp) + 120_001 + at) }),
  'data changed': (_, fresh, at) => ({ ...fresh, data: flip(fresh.data, at) }),
  'signature changed': (_, fresh, at) => ({ ...fresh, sign: flip(fresh.sign, at) }),
  'time changed': (_, fresh, at) => ({ ...fresh, timestamp: String(Number(fresh.timestamp) + 1 + (at % 9)) }),
  'key changed': (_, fresh, at) => ({ ...fresh, handshake: flip(fresh.handshake, at) }),
  'data changed and signed anew': (seen, _, at) => resign({ ...seen, data: flip(seen.data, at) }),
  truncated: (_, fresh, at) => ({ ...fresh, data: fresh.data.slice(0, at % fresh.data.length) }),
  'truncated by blocks and signed anew': (_, fresh, at) => {
    const bytes = Buffer.from(fresh.data, 'base64')
    const kept = (at % (bytes.length / 16 - 1)) * 16
    return resign({ ...fresh, data: bytes.subarray(0, kept).toString('base64') })
  },
  'another envelope under this key': (seen, fresh) => resign({ ...fresh, handshake: seen.handshake }),
  'data of another under its own signature': (_, fresh, at) => ({ ...fresh, data: sealForm({}, at).data }),
  'signature of another': (seen, fresh) => ({ ...fresh, sign: seen.sign }),
  'in upper case': (_, fresh) => ({ ...fresh, sign: fresh.sign.toUpperCase().replace(/^[0-9]+$/, 'A') }),
  'without a part': (_, fresh, at) => {
    const { [(['handshake', 'timestamp', 'sign', 'data'] as const)[at % 4] ?? 'data']: _left, ...rest } = fresh
    return rest
  },
  'not JSON inside': (_, fresh, at) => resign({ ...fresh, data: encrypt('x'.repeat(at % 90), fresh.handshake) }),
  noise: (_, fresh, at) => resign({ ...fresh, data: randomBytes(16 * (1 + (at % 40))).toString('base64') }),
}

test(`${ENVELOPES} envelopes that were tampered with: none accepted, one answer to all but those of another time, no growth of memory`, async () => {
  let accepted = 0
  const handlers = { 'POST auth/logout': () => Promise.resolve(((accepted += 1), {})) }
  const server = await createTestApp({ handlers, rateLimitScale: 1_000_000 })
  const inner = { method: 'POST', url: '/api/v1/auth/logout', data: {}, headers: { Authorization: TEST_TOKEN } }
  const post = (form: Partial<Form>) =>
    server.app.inject({
      method: 'POST',
      url: '/api/v1/gateway',
      headers: { 'content-type': 'application/x-www-form-urlencoded', lang: 'EN' },
      payload: new URLSearchParams(form).toString(),
    })
  const fresh = () => sealForm(inner, server.clock.now().getTime())
  const names = Object.keys(attacks)
  const places = fc.sample(fc.nat(100_000), { numRuns: ENVELOPES, seed: 20_261_121 })

  const answers = new Map<string, Set<string>>()
  const attack = async (from: number, to: number) => {
    const seen = fresh()
    const before = accepted
    expect((await post(seen)).statusCode).toBe(200)
    expect(accepted).toBe(before + 1)
    for (let nth = from; nth < to; nth++) {
      const name = names[nth % names.length] ?? 'replayed'
      const response = await post(attacks[name]?.(seen, fresh(), places[nth] ?? 0) ?? seen)
      const { date: _, ...headers } = response.headers
      const answer = JSON.stringify([response.statusCode, response.body, headers])
      answers.set(answer, (answers.get(answer) ?? new Set()).add(name))
    }
    expect(accepted).toBe(before + 1)
  }
  await attack(0, ENVELOPES / 2)
  const heap_before = heapInUse()
  await attack(ENVELOPES / 2, ENVELOPES)
  const growth = heapInUse() - heap_before
  // Whoever has made an envelope with its key is told that its time is wrong; nothing else tells two faults apart.
  const ofTime = ['stale under a new key', 'from the future']
  const others = names.filter((name) => !ofTime.includes(name))
  expect(new Set(answers.values())).toEqual(new Set([new Set(ofTime), new Set(others)]))
  for (const answer of answers.keys()) expect(answer).toMatch(/^\[400,/)
  expect(growth).toBeLessThan(4 * MB)
  // Nothing was damaged: an honest envelope is still accepted.
  expect((await post(fresh())).statusCode).toBe(200)
}, 120_000)
