/**
 * The request envelope: the whole request is sent as one form-encoded POST, encrypted with a key that is sent beside it.
 * This is obfuscation only; security comes from TLS, the session and the signatures. Each side has its own AES code: this
 * file holds what both must agree on. The schemas are in `envelope-schema.ts`, because zod would make the web's first load
 * larger.
 */

/** The path to which envelopes are sent. */
export const GATEWAY_PATH = '/api/v1/gateway'

/** How far, in milliseconds, a timestamp may be from the server's clock in either direction. */
export const ENVELOPE_WINDOW_MS = 120_000

/** Characters of a handshake; its ASCII bytes are the AES-128 key. */
export const HANDSHAKE_LENGTH = 16
export const HANDSHAKE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The text that is signed with HMAC-SHA256; the key is the handshake, the result is lower-case hex. */
export const signedText = (timestamp: string, data: string): string => `${timestamp}.${data}`

/** The body of every answer, plain or enveloped. `data` is null unless the code is 200. */
export type Body<T> = { code: 200; message: string; data: T } | { code: number; message: string; data: null }
