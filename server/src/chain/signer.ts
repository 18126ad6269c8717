import { readFile } from 'node:fs/promises'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type Hex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Secret } from '../kernel/secret.ts'

/** A call of the contract, with its place in the payer's sequence and what it offers for gas. */
export type UnsignedCall = {
  nonce: bigint
  /** Native base units per unit of gas. */
  gasPrice: bigint
  gas: bigint
  to: Hex
  data: Hex
}

/** Signs for one account. It keeps the key to itself. */
export type Signer = {
  /** Lower case. */
  address: Hex
  /** The same call always gives the same transaction. */
  sign(call: UnsignedCall): Promise<{ hash: Hex; raw: Hex }>
}

/** Where the key is: in the environment, or in a file. */
export type KeySource = { kind: 'value'; value: Secret } | { kind: 'file'; path: string }

/** The key cannot be used. The message never holds any of it. */
export class BadKey extends Error {
  override readonly name = 'BadKey'
}

const isKey = (text: string): text is Hex => /^0x[0-9a-fA-F]{64}$/.test(text)

/**
 * Reads the key and returns its signer.
 * @param variable of the environment that holds it; with _FILE behind it, the one that names its file
 * @throws BadKey that names the file or the variable
 */
export async function loadSigner(source: KeySource, variable = 'PAYER_KEY'): Promise<Signer> {
  const [name, text] =
    source.kind === 'file'
      ? [`${variable}_FILE ${source.path}`, (await readKeyFile(source.path, variable)).trim()]
      : [variable, source.value.reveal()]
  if (!isKey(text)) throw new BadKey(`${name} is not a private key: 0x and 64 hexadecimal digits`)
  try {
    return signerOf(text)
  } catch {
    // The library's own message may quote what it was given.
    throw new BadKey(`${name} is not a private key of this curve`)
  }
}

async function readKeyFile(path: string, variable: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new BadKey(`${variable}_FILE ${path} cannot be read (${code})`, { cause: error })
  }
}

function signerOf(key: Hex): Signer {
  const account = privateKeyToAccount(key)
  return {
    address: account.address.toLowerCase() as Hex,
    async sign({ nonce, gasPrice, gas, to, data }) {
      // The oldest type of transaction, because every chain accepts it; it is not known whether this chain has a base
      // fee.
      const terms = {
        type: 'legacy',
        chainId: CHAIN_ID,
        nonce: Number(nonce),
        gasPrice,
        gas,
        to,
        data,
        value: 0n,
      } as const
      const raw = await account.signTransaction(terms)
      return { hash: keccak256(raw), raw }
    },
  }
}
