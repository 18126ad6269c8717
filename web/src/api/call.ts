import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { codes } from '@candela/protocol/codes'
import { ApiError, TransportError } from './errors.ts'
import type { TransportProblem } from './errors.ts'
import { createTransport } from './transport.ts'
import type { Fields, Transport } from './transport.ts'

/** What the API client needs from the rest of the app; handed over once, by `main`. */
export type Wiring = {
  token(): string
  language(): string
  /** The session is gone (401): sign out. */
  sessionEnded(): void
  /** Shows an error to the person. */
  notify(message: string): void
  describe(problem: TransportProblem): string
}

export type CallOptions = {
  signal?: AbortSignal
  /** Codes that the caller shows in place, so that no toast is wanted. */
  handled?: readonly number[]
  /** True where the screen itself shows that no answer came. */
  transportInPlace?: boolean
}

let wiring: Wiring | null = null
export const wireApi = (given: Wiring): void => {
  wiring = given
}

const production = import.meta.env?.MODE === 'production'
const logging = !production && import.meta.env?.MODE !== 'test'

let transport: Transport = createTransport({
  base: import.meta.env?.VITE_API_BASE ?? '',
  envelope: production,
  fetch: (...request) => fetch(...request),
})

/** For tests only. */
export const replaceTransport = (given: Transport): void => {
  transport = given
}

/** Commands under way, by key and input: a double tap must not send the same command twice. */
const underWay = new Set<string>()

/**
 * The only way to the server. Resolves to `data`; rejects with an `ApiError` or a `TransportError`, after having shown
 * its message unless the options say that the caller does.
 */
export async function call<K extends Key>(key: K, input: CallInput<K>, options: CallOptions = {}): Promise<Data<K>> {
  if (wiring === null) throw new Error('wireApi was not called')
  const fields = toFields(input)
  const command = key.startsWith('POST') ? `${key} ${JSON.stringify(fields)}` : null
  try {
    if (command !== null && underWay.has(command)) throw new TransportError('repeated', key)
    if (command !== null) underWay.add(command)
    try {
      return (await exchange(key, fields, wiring, options)) as Data<K>
    } finally {
      if (command !== null) underWay.delete(command)
    }
  } catch (error) {
    tell(error, wiring, options)
    throw error
  }
}

async function exchange(key: Key, fields: Fields, wired: Wiring, options: CallOptions): Promise<unknown> {
  const started = Date.now()
  const token = wired.token()
  const lang = wired.language().toUpperCase()
  const body = await transport({ key, fields, token, lang, signal: options.signal ?? null })
  if (logging) log(key, fields, body.code, Date.now() - started)
  if (body.code === codes.ok) return body.data
  // An answer to an older session must not end the one that has replaced it.
  if (body.code === codes.noSession && token !== '' && token === wired.token()) wired.sessionEnded()
  throw new ApiError(body.code, body.message)
}

function tell(error: unknown, wired: Wiring, options: CallOptions): void {
  if (error instanceof ApiError && options.handled?.includes(error.code) !== true) wired.notify(error.message)
  if (error instanceof TransportError && options.transportInPlace !== true) wired.notify(wired.describe(error.problem))
}

function toFields(input: Readonly<Record<string, unknown>>): Fields {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/** Never a token or a signature, and not the message that a signature is over. */
const SECRET_FIELDS = new Set(['sign_message', 'message', 'token', 'signature'])

function log(key: string, fields: Fields, code: number, ms: number): void {
  const shown = Object.entries(fields).map(([name, value]) => [name, SECRET_FIELDS.has(name) ? '…' : value])
  // oxlint-disable-next-line no-console -- the request log of development builds; production builds do not contain it
  console.info(`[api] ${key} ${code} ${ms} ms`, Object.fromEntries(shown))
}
