import { endpointRoute } from '@candela/protocol/endpoint'
import type { EndpointKey } from '@candela/protocol/endpoint'
import { GATEWAY_PATH } from '@candela/protocol/envelope'
import type { Body } from '@candela/protocol/envelope'
import { makeHandshake, open, seal } from './envelope.ts'
import { TransportError } from './errors.ts'

/** Limits of the specification, in milliseconds. */
const TIMEOUT_MS = 50_000
const RETRIES = 0
const RETRY_DELAY_MS = 1_000

/** A clock this wrong makes the gateway refuse us; half its window leaves room for the way there. */
const SKEW_WORTH_CORRECTING_MS = 60_000

export type Fields = Readonly<Record<string, string>>

export type Outgoing = { key: EndpointKey; fields: Fields; token: string; lang: string; signal: AbortSignal | null }

export type Transport = (outgoing: Outgoing) => Promise<Body<unknown>>

type Wire = { url: string; init: RequestInit; read: (text: string) => unknown }

/** `base` is the origin of the API without a trailing slash; empty for the page's own. */
export function createTransport(settings: { base: string; envelope: boolean; fetch: typeof fetch }): Transport {
  let skewMs = 0

  const sendOnce = async (outgoing: Outgoing): Promise<{ response: Response; text: string; wire: Wire }> => {
    const wire = settings.envelope ? sealed(outgoing, skewMs) : plain(outgoing)
    const stop = new AbortController()
    const giveUp = () => stop.abort()
    const timer = setTimeout(giveUp, TIMEOUT_MS)
    outgoing.signal?.addEventListener('abort', giveUp)
    if (outgoing.signal?.aborted === true) giveUp()
    const init: RequestInit = { ...wire.init, signal: stop.signal, credentials: 'omit' }
    try {
      const response = await settings.fetch(settings.base + wire.url, init)
      return { response, text: await response.text(), wire }
    } catch (error) {
      if (stop.signal.aborted && outgoing.signal?.aborted !== true)
        throw new TransportError('timeout', `No answer within ${TIMEOUT_MS} ms`, error)
      if (outgoing.signal?.aborted === true) throw error
      throw new TransportError('connect', `Could not reach ${wire.url}`, error)
    } finally {
      clearTimeout(timer)
      outgoing.signal?.removeEventListener('abort', giveUp)
    }
  }

  const send = async (outgoing: Outgoing): Promise<Body<unknown>> => {
    const { response, text, wire } = await sendOnce(outgoing)
    const body = readBody(text, wire)
    if (body !== null) return noticeSkew(response, body, outgoing)
    if (response.status === 300) throw new TransportError('abnormal', 'Status 300 without a body of ours')
    throw new TransportError('request', `Status ${response.status} without a body of ours`)
  }

  /** A refused envelope did nothing, so with a corrected clock it may be sent once more. */
  const noticeSkew = async (response: Response, body: Body<unknown>, outgoing: Outgoing): Promise<Body<unknown>> => {
    const serverTime = Date.parse(response.headers.get('date') ?? '')
    const measured = Number.isNaN(serverTime) ? 0 : serverTime - Date.now()
    const moved = Math.abs(measured - skewMs) > SKEW_WORTH_CORRECTING_MS
    if (!settings.envelope || succeeded(response.status) || !moved) return body
    skewMs = measured
    return send(outgoing)
  }

  return async (outgoing) => {
    for (let attempt = 0; ; attempt++)
      try {
        return await send(outgoing)
      } catch (error) {
        if (attempt >= RETRIES || !(error instanceof TransportError)) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
      }
  }
}

/** Which HTTP statuses count as success. */
export const succeeded = (status: number): boolean => (status >= 200 && status <= 300) || status === 304

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

function plain({ key, fields, token, lang }: Outgoing): Wire {
  const { method, path } = endpointRoute(key)
  const form = new URLSearchParams(fields).toString()
  const headers = { LANG: lang, ...(token !== '' && { Authorization: token }) }
  return method === 'GET'
    ? { url: form === '' ? path : `${path}?${form}`, init: { headers }, read: JSON.parse }
    : { url: path, init: { method, headers: { ...headers, ...FORM }, body: form }, read: JSON.parse }
}

function sealed({ key, fields, token, lang }: Outgoing, skewMs: number): Wire {
  const { method, path } = endpointRoute(key)
  const handshake = makeHandshake()
  const form = seal(
    {
      method,
      url: path,
      ...(method === 'GET' ? { params: fields } : { data: fields }),
      headers: { LANG: lang, ...(token !== '' && { Authorization: token }) },
    },
    handshake,
    Date.now() + skewMs,
  )
  return {
    url: GATEWAY_PATH,
    init: { method: 'POST', headers: FORM, body: new URLSearchParams(form).toString() },
    // What the gateway could not open it answers in the clear.
    read: (text) => (text.startsWith('{') ? JSON.parse(text) : open(text, handshake)),
  }
}

function readBody(text: string, wire: Wire): Body<unknown> | null {
  try {
    const body = wire.read(text)
    return isBody(body) ? body : null
  } catch {
    // Not ours: a proxy's error page, or nothing at all. The caller says so by the status.
    return null
  }
}

const isBody = (value: unknown): value is Body<unknown> =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number' && 'data' in value
