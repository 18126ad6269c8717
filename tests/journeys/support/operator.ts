/** The operator's command line, as an operator on the server's machine uses it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { operatorProgram } from '@candela/testing/build/build-server'
import { keyFileOf, type OperatorName } from '@candela/devnet/seed/operators'
import type { Product } from './products/product.ts'

/** Runs one command with the key of one of the product's operators and returns what it printed. @throws with what it said when it refuses */
export async function operate(product: Product, operator: OperatorName, ...command: string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: product.databaseUrl,
    CANDELA_KEY_FILE: keyFileOf(product.dataDir, operator),
  }
  const { stdout } = await promisify(execFile)(process.execPath, [operatorProgram, ...command], { env })
  return stdout
}
