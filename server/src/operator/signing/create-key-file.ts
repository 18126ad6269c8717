import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError, reasonOf } from '../../kernel/errors.ts'

/**
 * Writes a new Ed25519 private key to a file that only its owner may read.
 * @throws OperatorError when there is such a file already, or it cannot be written
 */
export async function createKeyFile(path: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const written = `${path}.${randomUUID()}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(written, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
    // Whole or not at all, and never over another key.
    await link(written, path)
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const reason = exists ? 'exists already' : `cannot be written (${reasonOf(error)})`
    throw new OperatorError(`the key file ${path} ${reason}`, { cause: error })
  } finally {
    await rm(written, { force: true })
  }
}
