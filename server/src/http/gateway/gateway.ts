import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { codes } from '@candela/protocol/codes/codes'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { API_BASE } from '@candela/protocol/endpoint'
import { type Body, ENVELOPE_WINDOW_MS, signedText } from '@candela/protocol/envelope/envelope'
import { envelopeForm, innerRequest, type InnerRequest } from '@candela/protocol/envelope/envelope-schema'
import { type Language, languageFromHeader } from '@candela/protocol/language'
import type { Clock } from '../../kernel/clock.ts'
import type { DispatchText } from '../../api/dispatch.ts'
import { errorBody } from '../../api/error-body.ts'
import type { RateLimits } from '../../api/rate-limits.ts'
import { RETRY_AFTER_S } from '../limits/admission.ts'
import { tokenFromHeader } from '../request/token.ts'
import type { UsedHandshakes } from './used-handshakes.ts'

/** Either the encrypted answer of the inner route, or a refusal in the clear with its HTTP status. */
export type GatewayAnswer =
  | { status: 200; text: string }
  | { status: 400 | 429 | 503; body: Body<never>; wait_s?: number }

export type Gateway = (form: unknown, outer: OuterRequest) => Promise<GatewayAnswer>

/** The facts that are known of the outer request. Its language is used for refusals only: the call has its own inside. */
export type OuterRequest = { lang: Language; clientAddress: string; userAgent: string }

export type GatewayDeps = {
  dispatch: DispatchText
  limits: RateLimits
  handshakes: UsedHandshakes
  clock: Clock
  /** Called for each refused envelope. */
  onRefused: () => void
  /** Called for each envelope that is refused because it is not known whether its handshake was used. */
  onUnchecked: () => void
}

/**
 * Opens envelopes and hands the inner request to dispatch. The answer to every bad envelope is the same, so that it does not tell which
 * check failed. One that is sound but for its time is told the server's time, in the language inside of it.
 */
export function createGateway(deps: GatewayDeps): Gateway {
  return async (form, outer) => {
    const wait_s = await deps.limits.takeEnvelope(outer.clientAddress)
    if (wait_s > 0) return slowDown(429, wait_s, outer.lang)
    const opened = open(form, deps.clock)
    // Asked last, so that only envelopes that pass all other checks use memory.
    const use = opened === null ? 'used' : await deps.handshakes.use(opened.handshake, opened.timestamp_ms)
    if (use === 'unknown') {
      deps.onUnchecked()
      return slowDown(503, RETRY_AFTER_S, outer.lang)
    }
    if (opened === null || use === 'used') {
      deps.onRefused()
      const late = opened === null ? misdated(form) : null
      // The server's time is no secret: every answer has it in its header.
      if (late !== null) {
        const params = { field: 'envelope', reason: 'clockWrong', time: deps.clock.now().toISOString() }
        return { status: 400, body: errorBody(codes.invalidInput, params, late) }
      }
      return { status: 400, body: errorBody(codes.invalidInput, { field: 'envelope' }, outer.lang) }
    }
    const text = await callInner(deps.dispatch, opened.inner, outer)
    return { status: 200, text: encrypt(opened.handshake, text) }
  }
}

/** An answer by which the app says that it has to wait, and repeats what it may repeat, with a new handshake. */
const slowDown = (status: 429 | 503, wait_s: number, lang: Language): GatewayAnswer => ({
  status,
  body: errorBody(codes.slowDown, { seconds: wait_s }, lang),
  wait_s,
})

type Opened = { handshake: string; timestamp_ms: number; inner: InnerRequest }

function open(form: unknown, clock: Clock): Opened | null {
  const opened = openAnyTime(form)
  if (opened === null || Math.abs(clock.now().getTime() - opened.timestamp_ms) > ENVELOPE_WINDOW_MS) return null
  return opened
}

/** The language inside of an envelope that was made with its key, whatever its time: it is asked when the time was wrong. */
function misdated(form: unknown): Language | null {
  const opened = openAnyTime(form)
  return opened === null ? null : languageFromHeader(opened.inner.headers?.LANG)
}

function openAnyTime(form: unknown): Opened | null {
  const parsed = envelopeForm.safeParse(form)
  if (!parsed.success) return null
  const { handshake, timestamp, sign, data } = parsed.data
  const expected = createHmac('sha256', handshake).update(signedText(timestamp, data)).digest()
  if (!timingSafeEqual(expected, Buffer.from(sign, 'hex'))) return null
  const inner = innerRequest.safeParse(decryptJson(handshake, data))
  return inner.success ? { handshake, timestamp_ms: Number(timestamp), inner: inner.data } : null
}

function callInner(dispatch: DispatchText, inner: InnerRequest, outer: OuterRequest): Promise<string> {
  const lang = languageFromHeader(inner.headers?.LANG)
  const key = keyOf(inner)
  if (key === null) return Promise.resolve(JSON.stringify(errorBody(codes.notFound, {}, lang)))
  return dispatch(key, (inner.method === 'GET' ? inner.params : inner.data) ?? {}, {
    lang,
    token: tokenFromHeader(inner.headers?.Authorization),
    clientAddress: outer.clientAddress,
    userAgent: outer.userAgent,
  })
}

/** The inner URL is the path with its base, such as "/api/v1/user/info"; a query belongs in `params`. */
function keyOf({ method, url }: InnerRequest): Key | null {
  if (!url.startsWith(`${API_BASE}/`)) return null
  const key = `${method} ${url.slice(API_BASE.length + 1)}`
  return Object.hasOwn(endpoints, key) ? (key as Key) : null
}

function decryptJson(handshake: string, data: string): unknown {
  try {
    const decipher = createDecipheriv('aes-128-ecb', handshake, null)
    return JSON.parse(decipher.update(data, 'base64', 'utf8') + decipher.final('utf8'))
  } catch {
    // Wrong padding or no JSON: refused like every other bad envelope.
    return undefined
  }
}

function encrypt(handshake: string, text: string): string {
  const cipher = createCipheriv('aes-128-ecb', handshake, null)
  return cipher.update(text, 'utf8', 'base64') + cipher.final('base64')
}
