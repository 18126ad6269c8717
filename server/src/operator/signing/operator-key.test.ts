import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyFile } from './create-key-file.ts'
import { isSignedBy, loadOperatorKey, readPublicKey } from './operator-key.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candela-keys-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A file that only its owner may read. */
async function fileWith(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  await chmod(path, mode)
  return path
}
const pemOf = (type: 'ed25519' | 'x25519'): string => {
  const { privateKey } = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}

test('a new key file is for its owner alone, and never written over another one', async () => {
  const path = join(folder, 'new', 'ada.key')
  await createKeyFile(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const before = await readFile(path, 'utf8')
  await expect(createKeyFile(path)).rejects.toThrow(`the key file ${path} exists already`)
  expect(await readFile(path, 'utf8')).toBe(before)
  const { publicKey } = await loadOperatorKey(path)
  expect(readPublicKey(publicKey)).toBe(publicKey)
})

test('an Ed25519 key and a wallet’s key sign exactly one text for exactly one public key', async () => {
  const walletKey = generatePrivateKey()
  const files = [await fileWith('ed.key', pemOf('ed25519')), await fileWith('wallet.key', `${walletKey}\n`)]
  const [ed, wallet] = await Promise.all(files.map(loadOperatorKey))
  if (ed === undefined || wallet === undefined) throw new Error('no keys')
  expect(wallet.publicKey).toBe(privateKeyToAddress(walletKey).toLowerCase())
  for (const [key, other] of [
    [ed, wallet],
    [wallet, ed],
  ] as const) {
    const signature = await key.sign('a text\nof two lines, 簽名')
    expect(isSignedBy(key.publicKey, 'a text\nof two lines, 簽名', signature)).toBe(true)
    expect(isSignedBy(key.publicKey, 'a text\nof two lines', signature)).toBe(false)
    expect(isSignedBy(other.publicKey, 'a text\nof two lines, 簽名', signature)).toBe(false)
    for (const bad of ['', '0x', 'zz', signature.slice(2), `${signature}00`]) {
      expect(isSignedBy(key.publicKey, 'a text\nof two lines, 簽名', bad), bad).toBe(false)
    }
  }
})

test('a file that is no key, or that others may read, is refused by its name and never quoted', async () => {
  const secret = generatePrivateKey()
  const refusals = [
    [join(folder, 'missing.key'), 'cannot be read (ENOENT)'],
    [folder, 'is not a file'],
    [await fileWith('open.key', secret, 0o640), 'others may read the key file'],
    [await fileWith('text.key', `key ${secret}`), 'holds no key'],
    [await fileWith('short.key', secret.slice(0, -1)), 'holds no key'],
    [
      await fileWith('broken.key', `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`),
      'no private key',
    ],
    [await fileWith('other.key', pemOf('x25519')), 'of the kind x25519'],
    [await fileWith('zero.key', `0x${'0'.repeat(64)}`), 'not a private key of this curve'],
  ] as const
  for (const [path, message] of refusals) {
    const error = await loadOperatorKey(path).catch(String)
    expect(error).toContain(message)
    expect(error).toContain(path)
    expect(error).not.toContain(secret.slice(2, 40))
  }
})
