import { randomBytes } from 'node:crypto'
import { sealForm } from '@candela/protocol/envelope/testing-envelope'
import { expect, test } from 'vitest'
import { heapInUse } from '../../api/testing/heap-in-use.ts'
import { createTestApp } from '../testing/test-app.ts'

const ENVELOPES = 400

/** Measures what the server still holds after so many accepted envelopes, and how many bytes were sent to it. */
async function heldAfter({ paramBytes, headerBytes }: { paramBytes: number; headerBytes: number }) {
  const server = await createTestApp({ trustProxy: ['127.0.0.1'], rateLimitScale: 1_000_000 })
  let sent = 0
  const post = async (nth: number) => {
    const params = { first: randomBytes(paramBytes / 2).toString('hex'), second: 'x'.repeat(paramBytes) }
    const inner = { method: 'GET', url: '/api/v1/home/public', params }
    const payload = new URLSearchParams(sealForm(inner, server.clock.now().getTime())).toString()
    // The client's own claim comes first; the address that the proxy saw is the last one.
    const forwarded = `${'x'.repeat(headerBytes)}, 198.51.${100 + (nth >> 8)}.${100 + (nth & 127)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': forwarded }
    const response = await server.app.inject({ method: 'POST', url: '/api/v1/gateway', headers, payload })
    // An envelope that was refused would be remembered by nobody.
    expect(response.statusCode).toBe(200)
    sent += payload.length + forwarded.length
  }
  for (let nth = 0; nth < 100; nth++) await post(nth)
  sent = 0
  const before = heapInUse()
  for (let nth = 0; nth < ENVELOPES; nth++) await post(nth)
  const held = heapInUse() - before
  // Also what keeps the server itself alive until here.
  await server.app.close()
  return { held, sent }
}

test('what is remembered of an envelope does not keep its body alive, nor the header that named its client', async () => {
  const { held, sent } = await heldAfter({ paramBytes: 20_000, headerBytes: 0 })
  expect(sent).toBeGreaterThan(ENVELOPES * 50_000)
  expect(held / sent).toBeLessThan(0.1)
  const headers = await heldAfter({ paramBytes: 100, headerBytes: 14_000 })
  expect(headers.held / headers.sent).toBeLessThan(0.1)
})
