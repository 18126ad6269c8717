import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto'
import { open } from 'node:fs/promises'
import { getAddress, hashMessage, type Hex, isAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { recoverSigner } from '../../chain/signature/recover-signer.ts'
import { OperatorError, reasonOf } from '../../kernel/errors.ts'

/** Signs commands for one operator. It keeps the private key to itself. */
export type OperatorKey = {
  /** As it is registered: `ed25519:` and 64 hexadecimal digits, or the address of a wallet; lower case. */
  publicKey: string
  sign(text: string): Promise<string>
}

/** `ed25519:<64 hexadecimal digits>`. */
const ED25519 = /^ed25519:[0-9a-f]{64}$/

/**
 * A public key as it is registered, from what an operator typed.
 * @throws OperatorError when it is neither an Ed25519 public key nor the address of a wallet
 */
export function readPublicKey(text: string): string {
  const lower = text.trim().toLowerCase()
  if (ED25519.test(lower)) return lower
  if (isAddress(text.trim(), { strict: false })) {
    // Mixed case is a checksum, which shows a mistyped digit.
    const isPlain = text.trim() === lower || getAddress(lower) === text.trim()
    if (isPlain) return lower
    throw new OperatorError(`the address ${text} has a wrong checksum: a digit is mistyped`)
  }
  throw new OperatorError(
    `"${text}" is no public key: it is ed25519:<64 hexadecimal digits>, or the address of a wallet`,
  )
}

/** Tells whether the owner of a registered public key signed exactly this text. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  if (!ED25519.test(publicKey)) return recoverSigner(hashMessage(text), signature as Hex) === publicKey
  const jwk: JsonWebKey = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: Buffer.from(publicKey.slice(8), 'hex').toString('base64url'),
  }
  return verify(null, Buffer.from(text), createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(signature, 'hex'))
}

/**
 * Reads an operator's private key: an Ed25519 key as PEM (`openssl genpkey -algorithm ed25519`), or a wallet's key as 0x
 * and 64 hexadecimal digits.
 * @throws OperatorError that names the file, and never holds any of the key
 */
export async function loadOperatorKey(path: string): Promise<OperatorKey> {
  const text = (await readPrivateFile(path)).trim()
  if (text.startsWith('-----BEGIN ENCRYPTED')) {
    throw new OperatorError(`the key file ${path} is encrypted: write it without a passphrase, readable by you alone`)
  }
  if (text.startsWith('-----BEGIN')) return ed25519Signer(readPem(path, text))
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return walletKey(path, text as Hex)
  throw new OperatorError(`the key file ${path} holds no key: neither PEM, nor 0x and 64 hexadecimal digits`)
}

async function readPrivateFile(path: string): Promise<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : reasonOf(error)
    throw new OperatorError(`the key file ${path} cannot be read (${code})`, { cause: error })
  })
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new OperatorError(`the key file ${path} is not a file`)
    if ((found.mode & 0o077) !== 0) {
      throw new OperatorError(`others may read the key file ${path}: chmod 600 ${path}, and use a new key if they did`)
    }
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Signs with an Ed25519 private key. */
export function ed25519Signer(key: KeyObject): OperatorKey {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: `ed25519:${Buffer.from(x ?? '', 'base64url').toString('hex')}`,
    sign: (text) => Promise.resolve(sign(null, Buffer.from(text), key).toString('hex')),
  }
}

function readPem(path: string, pem: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    // The library's own message may quote what it was given.
    throw new OperatorError(`the key file ${path} holds no private key`)
  }
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new OperatorError(`the key in ${path} is of the kind ${key.asymmetricKeyType}: it has to be Ed25519`)
}

function walletKey(path: string, key: Hex): OperatorKey {
  try {
    const account = privateKeyToAccount(key)
    return {
      publicKey: account.address.toLowerCase(),
      sign: (message) => account.signMessage({ message }),
    }
  } catch {
    throw new OperatorError(`the key in ${path} is not a private key of this curve`)
  }
}
