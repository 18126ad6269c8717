import { HANDSHAKE_ALPHABET, HANDSHAKE_LENGTH, signedText } from '@candela/protocol/envelope/envelope'
import type { EnvelopeForm, InnerRequest } from '@candela/protocol/envelope/envelope-schema'
import { ecb } from '@noble/ciphers/aes.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * The client's end of the request envelope. It only keeps paths and fields from being readable at a glance: the key is
 * sent beside the data. Both ends use ECB; a better mode would not help while the key is sent along.
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
export function seal(inner: InnerRequest, handshake: string, timestampMs: number): EnvelopeForm {
  const timestamp = String(timestampMs)
  const data = toBase64(ecb(utf8ToBytes(handshake)).encrypt(utf8ToBytes(JSON.stringify(inner))))
  const sign = bytesToHex(hmac(sha256, utf8ToBytes(handshake), utf8ToBytes(signedText(timestamp, data))))
  return { handshake, timestamp, sign, data }
}

/** Opens a reply to the request that carried `handshake`. Throws when it was not sealed with it. */
export function open(reply: string, handshake: string): unknown {
  const plain = ecb(utf8ToBytes(handshake)).decrypt(fromBase64(reply.trim()))
  return JSON.parse(new TextDecoder().decode(plain))
}

const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
