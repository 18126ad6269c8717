import { HANDSHAKE_ALPHABET, HANDSHAKE_LENGTH, signedText } from '@candela/protocol/envelope/envelope'
import type { EnvelopeForm, InnerRequest } from '@candela/protocol/envelope/envelope-schema'
import { ecb } from '@noble/ciphers/aes.js'
import { bytesToHex } from '@noble/ciphers/utils.js'

/**
 * The client's end of the request envelope. It only keeps paths and fields from being readable at a glance: the key is
 * sent beside the data. Both ends use ECB; a better mode would not help while the key is sent along. The HMAC is the
 * browser's own, which it has on https and on this device; ECB it has not.
 */

/** A new key for one request. Bytes that would make the first letters of the alphabet more likely are not used. */
export function makeHandshake(random: (count: number) => Uint8Array = randomBytes): string {
  const fair = 256 - (256 % HANDSHAKE_ALPHABET.length)
  let handshake = ''
  while (handshake.length < HANDSHAKE_LENGTH)
    for (const byte of random(HANDSHAKE_LENGTH))
      if (byte < fair && handshake.length < HANDSHAKE_LENGTH)
        handshake += HANDSHAKE_ALPHABET.charAt(byte % HANDSHAKE_ALPHABET.length)
  return handshake
}

/** `timestampMs` is milliseconds since 1970 by the server's clock, as far as it is known. */
export async function seal(inner: InnerRequest, handshake: string, timestampMs: number): Promise<EnvelopeForm> {
  const timestamp = String(timestampMs)
  const data = toBase64(ecb(encode(handshake)).encrypt(encode(JSON.stringify(inner))))
  const sign = await hmacSha256(handshake, signedText(timestamp, data))
  return { handshake, timestamp, sign, data }
}

/** Opens a reply to the request that carried `handshake`. Throws when it was not sealed with it. */
export function open(reply: string, handshake: string): unknown {
  const plain = ecb(encode(handshake)).decrypt(fromBase64(reply.trim()))
  return JSON.parse(new TextDecoder().decode(plain))
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** As hexadecimal digits. */
async function hmacSha256(key: string, text: string): Promise<string> {
  const raw = await crypto.subtle.importKey('raw', encode(key), HMAC, false, ['sign'])
  return bytesToHex(new Uint8Array(await crypto.subtle.sign(HMAC, raw, encode(text))))
}

const encode = (text: string) => new TextEncoder().encode(text)

const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
