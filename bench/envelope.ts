import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { type Body, GATEWAY_PATH, signedText } from '@candela/protocol/envelope'
import { type Answer, postForm } from './http-load.ts'

type Inner = { method: 'GET' | 'POST'; url: string; data?: Record<string, string>; headers?: Record<string, string> }

/** An envelope on its way, as if it came from that address, and the key that opens its answer. */
export function seal(inner: Inner, from?: string): { request: Buffer; key: string } {
  const key = randomBytes(8).toString('hex')
  const timestamp = String(Date.now())
  const cipher = createCipheriv('aes-128-ecb', key, null)
  const data = cipher.update(JSON.stringify(inner), 'utf8', 'base64') + cipher.final('base64')
  const sign = createHmac('sha256', key).update(signedText(timestamp, data)).digest('hex')
  const form = new URLSearchParams({ handshake: key, timestamp, sign, data }).toString()
  const request = postForm(GATEWAY_PATH, form)
  if (from === undefined) return { request, key }
  const text = request.toString('latin1').replace('Host: bench', `Host: bench\r\nX-Forwarded-For: ${from}`)
  return { request: Buffer.from(text, 'latin1'), key }
}

/** @throws Error when the answer is anything but the data that was asked for */
export function unseal({ body, status }: Answer, key: string): unknown {
  if (status !== 200) throw new Error(`the gateway answered ${status}: ${body}`)
  const decipher = createDecipheriv('aes-128-ecb', key, null)
  const answer = JSON.parse(decipher.update(body, 'base64', 'utf8') + decipher.final('utf8')) as Body<unknown>
  if (answer.code !== 200) throw new Error(`${answer.code} ${answer.message}`)
  return answer.data
}
