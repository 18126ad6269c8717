import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { Unreachable } from './unreachable.ts'

/** Reads what the service publishes: by a path such as "power/day", with its input. Null for 404. */
export type Service = { read: (path: string, input?: Readonly<Record<string, string>>) => Promise<unknown> }

type Answer = { code: number; message?: string; data: unknown }

const OK = 200
const NOT_FOUND = 404
const PATIENCE_MS = 60_000
const TOO_MANY = 429
const ATTEMPTS = 8

/**
 * Asks a service through its envelope: AES-128-ECB with a key that is sent beside it, signed by HMAC-SHA256. Production answers nothing
 * else; it is no secret.
 * @param origin such as "https://candela.example"
 * @param token of a session, for a member's own figures
 */
export function openService(origin: string, token = '', now: () => number = Date.now): Service {
  const ask = async (path: string, params: Readonly<Record<string, string>>): Promise<Answer> => {
    const handshake = randomBytes(8).toString('hex')
    const headers = { LANG: 'EN', ...(token === '' ? {} : { Authorization: token }) }
    const request = JSON.stringify({ method: 'GET', url: `/api/v1/${path}`, params, headers })
    const data = crypt(createCipheriv('aes-128-ecb', handshake, null), Buffer.from(request)).toString('base64')
    const timestamp = String(now())
    const sign = createHmac('sha256', handshake).update(`${timestamp}.${data}`).digest('hex')
    const answer = await fetch(new URL('/api/v1/gateway', origin), {
      method: 'POST',
      body: new URLSearchParams({ handshake, timestamp, sign, data }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await answer.text()
    // A request that never reached the envelope is answered in the open.
    if (text.startsWith('{')) return JSON.parse(text) as Answer
    const plain = crypt(createDecipheriv('aes-128-ecb', handshake, null), Buffer.from(text, 'base64'))
    return JSON.parse(plain.toString()) as Answer
  }
  return {
    async read(path, input = {}) {
      for (let attempt = 1; ; attempt++) {
        const { code, message, data } = await ask(path, input).catch((error: unknown) => {
          throw new Unreachable(`the service gives no answer to ${path}: ${String(error)}`)
        })
        if (code === OK) return data
        if (code === NOT_FOUND) return null
        if (code !== TOO_MANY || attempt === ATTEMPTS)
          throw new Unreachable(`the service answers ${path} with code ${code}: ${message ?? 'without words'}`)
        await new Promise((resolve) => setTimeout(resolve, 1_000 * attempt))
      }
    },
  }
}

const crypt = (cipher: ReturnType<typeof createCipheriv>, bytes: Buffer): Buffer =>
  Buffer.concat([cipher.update(bytes), cipher.final()])

/** An answer in the form that is expected of it. @throws with the path when it has another form */
export async function readAs<T>(
  service: Service,
  form: z.ZodType<T>,
  path: string,
  input: Readonly<Record<string, string>> = {},
): Promise<T | null> {
  const answer = await service.read(path, input)
  if (answer === null) return null
  const parsed = form.safeParse(answer)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${path} has another form than expected: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}
