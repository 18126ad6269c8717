import { type Body, GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import { decrypt, sealForm } from '@candela/protocol/envelope/testing-envelope'
import { type Answer, postForm } from './http-load.ts'

type Inner = { method: 'GET' | 'POST'; url: string; data?: Record<string, string>; headers?: Record<string, string> }

/** An envelope on its way, as if it came from that address, and the key that opens its answer. */
export function seal(inner: Inner, from?: string): { request: Buffer; key: string } {
  const form = sealForm(inner, Date.now())
  const key = form.handshake
  const request = postForm(GATEWAY_PATH, new URLSearchParams(form).toString())
  if (from === undefined) return { request, key }
  const text = request.toString('latin1').replace('Host: bench', `Host: bench\r\nX-Forwarded-For: ${from}`)
  return { request: Buffer.from(text, 'latin1'), key }
}

/** @throws Error when the answer is anything but the data that was asked for */
export function unseal({ body, status }: Answer, key: string): unknown {
  if (status !== 200) throw new Error(`the gateway answered ${status}: ${body}`)
  const answer = JSON.parse(decrypt(body, key)) as Body<unknown>
  if (answer.code !== 200) throw new Error(`${answer.code} ${answer.message}`)
  return answer.data
}
