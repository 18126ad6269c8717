import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OperatorError } from '../kernel/errors.ts'
import { loadOperatorKey, type OperatorKey } from './signing/operator-key.ts'

/**
 * The operator's own key: `CANDELA_KEY_FILE`, or that of the first operator of `npm start` under `DATA_DIR`.
 * @throws OperatorError when there is neither, or the file is no key or not private
 */
export async function findOperatorKey(env: Readonly<Record<string, string | undefined>>): Promise<OperatorKey> {
  if (env['CANDELA_KEY_FILE']) return loadOperatorKey(resolve(env['CANDELA_KEY_FILE']))
  const own = join(resolve(env['DATA_DIR'] || '.data'), 'operators', 'first.key')
  if (existsSync(own)) return loadOperatorKey(own)
  throw new OperatorError('sign with your key: --key-file <path>, or CANDELA_KEY_FILE')
}
