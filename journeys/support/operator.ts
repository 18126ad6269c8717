/** The operator's command line, as an operator on the server's machine uses it. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const candela = path.join(import.meta.dirname, '..', '..', 'server', 'src', 'operator', 'candela.ts')

/** Runs one command under a name and returns what it printed. @throws with what it said when it refuses */
export async function operate(databaseUrl: string, operator: string, ...command: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, CANDELA_OPERATOR: operator }
  const { stdout } = await promisify(execFile)(process.execPath, [candela, ...command], { env })
  return stdout
}
