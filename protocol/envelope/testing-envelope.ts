import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/**
 * Both sides of the envelope, written from the specification with Node's crypto, for tests and measurements. It uses no
 * code of the product, so that the same mistake on both sides of the product cannot go unnoticed.
 */

export type SealedForm = { handshake: string; timestamp: string; data: string; sign: string }

const anyHandshake = (): string => randomBytes(8).toString('hex')

export function encrypt(text: string, handshake: string): string {
  const cipher = createCipheriv('aes-128-ecb', handshake, null)
  return cipher.update(text, 'utf8', 'base64') + cipher.final('base64')
}

/** @throws where it was not encrypted with this handshake */
export function decrypt(data: string, handshake: string): string {
  const decipher = createDecipheriv('aes-128-ecb', handshake, null)
  return decipher.update(data, 'base64', 'utf8') + decipher.final('utf8')
}

/** The form with the signature that its other fields must have. */
export function resign({ handshake, timestamp, data }: Omit<SealedForm, 'sign'>): SealedForm {
  const sign = createHmac('sha256', handshake).update(`${timestamp}.${data}`).digest('hex')
  return { handshake, timestamp, data, sign }
}

/** The envelope of a call. `at` is milliseconds since 1970. */
export const sealForm = (inner: unknown, at: number, handshake = anyHandshake()): SealedForm =>
  resign({ handshake, timestamp: String(at), data: encrypt(JSON.stringify(inner), handshake) })
