import { codes } from '@candela/protocol/codes/codes'
import { endpointRoute, type EndpointKey } from '@candela/protocol/endpoint'
import { GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import { makeHandshake, open, seal } from './envelope.ts'
import { TransportError } from './errors.ts'

/**
 * Clocks that differ by more are corrected, in milliseconds: half of what the gateway accepts, the rest is for the way
 * there.
 */
const SKEW_WORTH_CORRECTING_MS = 60_000

export type Fields = Readonly<Record<string, string>>

export type Outgoing = { key: EndpointKey; fields: Fields; token: string; lang: string; signal: AbortSignal | null }

/** The body of an answer. What a server leaves out of a refusal, its message above all, may be missing. */
export type Answer = { code: number; message?: unknown; data?: unknown }

export type Transport = (outgoing: Outgoing) => Promise<Answer>

type Wire = { url: string; init: RequestInit; open: (text: string) => unknown }
type Reply = { status: number; date: string | null; text: string; wire: Wire; skewMs: number }

export type TransportSettings = {
  /** Origin of the API without a trailing slash; empty for the page's own. */
  base: string
  /** Whether requests travel in the encrypted envelope, to the one path. Production takes nothing else. */
  envelope: boolean
  /** How long to wait for a whole answer, in milliseconds. */
  timeoutMs: number
  /** How often to ask again after no usable answer came, and how long to wait before, in milliseconds. */
  retries: number
  retryDelayMs: number
  fetch: typeof fetch
  /** This device's time in milliseconds since 1970. */
  now: () => number
  /** Hears of each answer its `Date` header, and when it was asked for, in milliseconds since 1970 by `now`. */
  onAnswer: (date: string | null, askedAt: number) => void
}

/** Resolves to the server's answer. Rejects with a `TransportError`, or as `fetch` does when the caller gave up. */
export function createTransport(settings: TransportSettings): Transport {
  let skewMs = 0

  const sendOnce = async (outgoing: Outgoing): Promise<Reply> => {
    const assumedMs = skewMs
    if (settings.envelope && crypto.subtle === undefined) throw new TransportError('insecure', 'No crypto.subtle')
    const wire = settings.envelope ? await sealed(outgoing, settings.now() + assumedMs) : plain(outgoing)
    const stop = new AbortController()
    const giveUp = () => stop.abort()
    const timer = setTimeout(giveUp, settings.timeoutMs)
    outgoing.signal?.addEventListener('abort', giveUp)
    if (outgoing.signal?.aborted === true) giveUp()
    // No cookies, no stored answers, and never on to where a redirect points: that would not be our server.
    const init = {
      ...wire.init,
      signal: stop.signal,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'manual',
    } as const
    const askedAt = settings.now()
    try {
      const response = await settings.fetch(settings.base + wire.url, init)
      const { status, headers } = response
      settings.onAnswer(headers.get('date'), askedAt)
      return { status, date: headers.get('date'), text: await response.text(), wire, skewMs: assumedMs }
    } catch (error) {
      if (outgoing.signal?.aborted === true) throw error
      if (stop.signal.aborted) throw new TransportError('timeout', `No answer within ${settings.timeoutMs} ms`, error)
      throw new TransportError('connect', `Could not reach ${wire.url}`, error)
    } finally {
      clearTimeout(timer)
      outgoing.signal?.removeEventListener('abort', giveUp)
    }
  }

  const send = async (outgoing: Outgoing): Promise<Answer> => {
    const reply = await sendOnce(outgoing)
    if (!succeeded(reply.status)) {
      const refusal = readRefusal(reply.text)
      if (refusal === null) throw new TransportError('request', `Status ${reply.status} without words of ours`)
      return clockMoved(reply) ? send(outgoing) : refusal
    }
    const answer = readAnswer(reply)
    if (answer !== null) return answer
    throw new TransportError(reply.status === 300 ? 'abnormal' : 'request', `Status ${reply.status}, no answer of ours`)
  }

  /**
   * Whether an envelope was refused because the server's clock differs from ours: then it may be sent once more with
   * its time.
   */
  const clockMoved = ({ status, date, skewMs: assumedMs }: Reply): boolean => {
    const serverTime = Date.parse(date ?? '')
    if (!settings.envelope || status !== 400 || Number.isNaN(serverTime)) return false
    const measuredMs = serverTime - settings.now()
    // By what this request assumed: of several sent at once, each may be the first to be refused.
    if (Math.abs(measuredMs - assumedMs) <= SKEW_WORTH_CORRECTING_MS) return false
    skewMs = measuredMs
    return true
  }

  return async (outgoing) => {
    for (let attempt = 0; ; attempt++)
      try {
        return await send(outgoing)
      } catch (error) {
        if (attempt >= settings.retries || !(error instanceof TransportError) || !repeatable(outgoing)) throw error
        await pause(settings.retryDelayMs, outgoing.signal)
      }
  }
}

/** Tells which HTTP statuses count as success: their body is taken as the answer. */
export const succeeded = (status: number): boolean => (status >= 200 && status <= 300) || status === 304

/** A command that may have been done already is sent again only where the server recognises it by its request id. */
const repeatable = ({ key, fields }: Outgoing): boolean => key.startsWith('GET') || 'requestId' in fields

/** Ends early when the caller gives up, in the way that `fetch` would. */
const pause = (ms: number, signal: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(new DOMException('Given up', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

function plain({ key, fields, token, lang }: Outgoing): Wire {
  const { method, path } = endpointRoute(key)
  const form = new URLSearchParams(fields).toString()
  const headers = { LANG: lang, ...(token !== '' && { Authorization: token }) }
  return method === 'GET'
    ? { url: form === '' ? path : `${path}?${form}`, init: { headers }, open: JSON.parse }
    : { url: path, init: { method, headers: { ...headers, ...FORM }, body: form }, open: JSON.parse }
}

async function sealed({ key, fields, token, lang }: Outgoing, serverTimeMs: number): Promise<Wire> {
  const { method, path } = endpointRoute(key)
  const handshake = makeHandshake()
  const form = await seal(
    {
      method,
      url: path,
      ...(method === 'GET' ? { params: fields } : { data: fields }),
      headers: { LANG: lang, ...(token !== '' && { Authorization: token }) },
    },
    handshake,
    serverTimeMs,
  )
  return {
    url: GATEWAY_PATH,
    // The language stands outside of the envelope as well, for the refusal of one that cannot be opened.
    init: { method: 'POST', headers: { ...FORM, LANG: lang }, body: new URLSearchParams(form).toString() },
    open: (text) => open(text, handshake),
  }
}

function readAnswer({ text, wire }: Reply): Answer | null {
  try {
    const body = wire.open(text)
    return isAnswer(body) && (body.code !== codes.ok || 'data' in body) ? body : null
  } catch {
    // A proxy's page, something cut short, or an answer to another handshake: not usable.
    return null
  }
}

/** A refusal by a server that has not opened the envelope comes unencrypted. It never grants anything so. */
function readRefusal(text: string): Answer | null {
  try {
    const body: unknown = JSON.parse(text)
    return isAnswer(body) && body.code !== codes.ok ? body : null
  } catch {
    return null
  }
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && 'code' in value && Number.isInteger(value.code)
