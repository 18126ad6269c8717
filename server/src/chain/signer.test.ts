import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerializedLegacy } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../kernel/secret.ts'
import { BadKey, loadSigner } from './signer.ts'

// The first account of the usual development mnemonic.
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'candela-signer-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fromText = (text: string) => loadSigner({ kind: 'value', value: new Secret(text) })
const call = { nonce: 7n, gasPrice: 3n, gas: 400_000n, to: address, data: '0x1234' } as const

test('a key signs the same call the same way, for this chain and this account', async () => {
  const signer = await fromText(key)
  expect(signer.address).toBe(address)
  const { hash, raw } = await signer.sign(call)
  expect(await signer.sign(call)).toEqual({ hash, raw })
  expect(hash).toBe(keccak256(raw))
  expect(parseTransaction(raw)).toMatchObject({ chainId: CHAIN_ID, nonce: 7, gasPrice: 3n, gas: 400_000n, to: address })
  const serializedTransaction = raw as TransactionSerializedLegacy
  expect((await recoverTransactionAddress({ serializedTransaction })).toLowerCase()).toBe(address)
})

test('a file holds it too, with or without a line end', async () => {
  const file = path.join(folder, 'key')
  await writeFile(file, `${key}\n`)
  expect((await loadSigner({ kind: 'file', path: file })).address).toBe(address)
})

test('what is no key is refused by its name, and never shown', async () => {
  const file = path.join(folder, 'broken')
  await writeFile(file, `${key}00`)
  const missing = path.join(folder, 'missing')
  const refusals = [
    [() => loadSigner({ kind: 'file', path: file }), `PAYER_KEY_FILE ${file} is not a private key`],
    [() => loadSigner({ kind: 'file', path: missing }), `PAYER_KEY_FILE ${missing} cannot be read (ENOENT)`],
    [() => fromText(key.slice(0, -1)), 'PAYER_KEY is not a private key: 0x and 64 hexadecimal digits'],
    [() => fromText(`0x${'0'.repeat(64)}`), 'PAYER_KEY is not a private key of this curve'],
  ] as const
  for (const [attempt, message] of refusals) {
    const error: unknown = await attempt().then(
      () => undefined,
      (failure: unknown) => failure,
    )
    expect(error).toBeInstanceOf(BadKey)
    expect(String(error)).toContain(message)
    expect(inspect(error, { depth: 9 })).not.toContain(key.slice(2, 20))
  }
})

test('neither a signer nor a secret shows the key', async () => {
  const secret = new Secret(key)
  const shown = [secret, { secret }, await fromText(key)].map(
    (value) => `${inspect(value, { depth: 9, showHidden: true })} ${JSON.stringify(value)} ${String(secret)}`,
  )
  expect(shown.join()).not.toContain(key.slice(2, 20))
})
