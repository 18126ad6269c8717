import type { CallInput, Data, Key } from '@candela/protocol/endpoints'
import { codes } from '@candela/protocol/codes/codes'
import { fillMessage } from '@candela/protocol/codes/fill-message'
import type { Language } from '@candela/protocol/language'
import { ApiError, TransportError, type TransportProblem } from '@candela/client/errors'
import { noteServerTime } from './server-time.ts'
import { settingsOf } from './settings/settings.ts'
import { createTransport, type Answer, type Fields, type Transport } from '@candela/client/transport'

/** The parts that the API client needs from the rest of the app; handed over once, by `main`. */
export type Wiring = {
  token(): string
  language(): Language
  /** The session is gone (401): sign out. */
  sessionEnded(): void
  /** Shows an error to the person. `code` where the server has refused. */
  notify(message: string, code?: number): void
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

// Written out, because only so does Vite put constants in their place and leave the log out of production.
const settings = settingsOf({
  MODE: import.meta.env?.MODE ?? 'test',
  VITE_API_BASE: import.meta.env?.VITE_API_BASE,
})
const logging = import.meta.env?.MODE !== 'production' && settings.logging

/** Whether a command is sent only once by one call, so that what refuses it has refused all of it. */
export const sendsOnce = settings.retries === 0

let transport: Transport = createTransport({
  ...settings,
  fetch: (...request) => fetch(...request),
  now: () => Date.now(),
  onAnswer: noteServerTime,
})

/** For tests only. */
export const replaceTransport = (given: Transport): void => {
  transport = given
}

/** Commands under way, by key and input: a double tap must not send the same command twice. */
const underWay = new Set<string>()

/**
 * Sends one request now. For commands that do no harm when they are repeated; every other way to ask the server uses
 * it. Resolves to `data`; rejects with an `ApiError` or a `TransportError`, after having shown its message unless the
 * options say that the caller does.
 */
export async function call<K extends Key>(key: K, input: CallInput<K>, options: CallOptions = {}): Promise<Data<K>> {
  if (wiring === null) throw new Error('wireApi was not called')
  const fields = toFields(input)
  const command = key.startsWith('POST') ? `${key} ${JSON.stringify(fields)}` : null
  try {
    if (command !== null && underWay.has(command)) throw new TransportError('repeated', key)
    if (command !== null) underWay.add(command)
    try {
      return (await ask(key, fields, wiring, options)) as Data<K>
    } finally {
      if (command !== null) underWay.delete(command)
    }
  } catch (error) {
    report(error, wiring, options)
    throw error
  }
}

async function ask(key: Key, fields: Fields, wired: Wiring, options: CallOptions): Promise<unknown> {
  const started = Date.now()
  const token = wired.token()
  const language = wired.language()
  const outgoing = { key, fields, token, lang: language.toUpperCase(), signal: options.signal ?? null }
  const answer = await transport(outgoing).catch((error: unknown) => {
    if (logging) log(key, fields, nameOf(error), Date.now() - started)
    throw error
  })
  if (logging) log(key, fields, answer.code, Date.now() - started)
  if (answer.code === codes.ok) {
    // Every answer has data: without, nothing says that it is over, and a screen would wait for ever.
    if (typeof answer.data !== 'object' || answer.data === null) throw new TransportError('abnormal', `${key}: no data`)
    return answer.data
  }
  // An answer to an older session must not end the one that has replaced it.
  if (answer.code === codes.noSession && token !== '' && token === wired.token()) wired.sessionEnded()
  throw new ApiError(answer.code, await textOf(answer, language, wired))
}

/** The server's text; without one, that of the code; for an unknown code, that of a failed request. */
async function textOf({ code, message }: Answer, language: Language, wired: Wiring): Promise<string> {
  if (typeof message === 'string' && message.trim() !== '') return message
  const messages = await import('./default-messages.ts').catch(() => null)
  const template = messages?.messageTemplate(code, language) ?? null
  return template === null ? wired.describe('request') : fillMessage(template, {})
}

/** Shows the error, unless the caller does or has given up the request. */
function report(error: unknown, wired: Wiring, options: CallOptions): void {
  if (leaving || options.signal?.aborted === true) return
  if (error instanceof ApiError) {
    if (options.handled?.includes(error.code) !== true) wired.notify(error.message, error.code)
  } else if (error instanceof TransportError) {
    if (options.transportInPlace !== true) wired.notify(wired.describe(error.problem))
  } else {
    // Thrown while an answer was handled: a mistake of ours. Its words help nobody on the screen.
    reportOurs(error)
    wired.notify(wired.describe('request'))
  }
}

/** Shows a refusal that a call has left to its caller. */
export const showRefusal = ({ message, code }: ApiError): void => wiring?.notify(message, code)

/** To the console, for whoever is asked for help. */
// oxlint-disable-next-line no-console -- nothing else keeps what went wrong
const reportOurs = (error: unknown): void => console.error(error)

const nameOf = (error: unknown): string => {
  if (error instanceof TransportError) return error.problem
  return error instanceof Error && error.message !== '' ? error.message : String(error)
}

/** Leaving the page aborts its requests, which is no failure to be shown. */
let leaving = false
globalThis.addEventListener?.('pagehide', () => {
  leaving = true
})
globalThis.addEventListener?.('pageshow', () => {
  leaving = false
})

function toFields(input: Readonly<Record<string, unknown>>): Fields {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/** Never a token or a signature, and not the message that a signature is over. */
const SECRET_FIELDS = new Set(['sign_message', 'message', 'token', 'signature'])

function log(key: string, fields: Fields, outcome: number | string, ms: number): void {
  const shown = Object.entries(fields).map(([name, value]) => [name, SECRET_FIELDS.has(name) ? '…' : value])
  // oxlint-disable-next-line no-console -- the request log of development builds; production builds do not contain it
  console.info(`[api] ${key} ${outcome} ${ms} ms`, Object.fromEntries(shown))
}
