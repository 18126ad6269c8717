import { z } from 'zod'

/**
 * The request envelope: the whole request travels as one form-encoded POST, encrypted with a key that travels beside
 * it. It hides paths and fields from casual eyes and nothing more; security rests on TLS, the session and the
 * signatures. Each end brings its own AES: this file holds what both must agree on.
 */

/** The fixed path that takes envelopes. */
export const GATEWAY_PATH = '/api/v1/gateway'

/** How far, in milliseconds, a timestamp may be from the server's clock in either direction. */
export const ENVELOPE_WINDOW_MS = 120_000

/** Characters of a handshake; its ASCII bytes are the AES-128 key. */
export const HANDSHAKE_LENGTH = 16
export const HANDSHAKE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** What is signed: HMAC-SHA256, key = handshake, result in lower-case hex. */
export const signedText = (timestamp: string, data: string): string => `${timestamp}.${data}`

/** The form fields of the outer POST. */
export const envelopeForm = z.object({
  handshake: z.string().regex(/^[A-Za-z0-9]{16}$/),
  /** Milliseconds since 1970, UTC. */
  timestamp: z.string().regex(/^[0-9]{13}$/),
  sign: z.string().regex(/^[0-9a-f]{64}$/),
  /** base64 of AES-128-ECB with PKCS7 padding over the JSON of an inner request. */
  data: z
    .string()
    .max(65_536)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
})

export type EnvelopeForm = z.infer<typeof envelopeForm>

const texts = z.record(z.string().max(64), z.string().max(20_000))

/** The request inside. `params` is the query of a GET, `data` the form of a POST. */
export const innerRequest = z.object({
  method: z.enum(['GET', 'POST']),
  url: z.string().max(256),
  params: texts.optional(),
  data: texts.optional(),
  headers: z.object({ Authorization: z.string().max(512).optional(), LANG: z.string().max(8).optional() }).optional(),
})

export type InnerRequest = z.infer<typeof innerRequest>

/** The body of every answer, plain or enveloped. `data` is null unless the code is 200. */
export type Body<T> = { code: 200; message: string; data: T } | { code: number; message: string; data: null }
