/**
 * The request envelope: the whole request travels as one form-encoded POST, encrypted with a key that travels beside
 * it. It hides paths and fields from casual eyes and nothing more; security rests on TLS, the session and the
 * signatures. Each end brings its own AES: this file holds what both must agree on.
 * The shapes are in `envelope-schema.ts`, apart because the web's first load has no room for the schema library.
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

/** The body of every answer, plain or enveloped. `data` is null unless the code is 200. */
export type Body<T> = { code: 200; message: string; data: T } | { code: number; message: string; data: null }
