import { generateKeyPairSync } from 'node:crypto'
import { openDatabase } from '../db/open.ts'
import type { Clock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { type CommandDeps, runCommand } from './run-command.ts'
import { ed25519Signer, type OperatorKey } from './signing/operator-key.ts'

export const newKey = (): OperatorKey => ed25519Signer(generateKeyPairSync('ed25519').privateKey)

/** The operators of a database, for tests: ada and bob are registered, as an installation does it. */
export type TestOperators = {
  keys: ReadonlyMap<string, OperatorKey>
  /** Gives a command with the key of one of them. @returns what it printed, as JSON */
  give: <T>(name: string, ...words: string[]) => Promise<T>
  /** Gives a command that two have to sign: ada gives it, then bob. @returns what bob's command printed */
  both: <T>(...words: string[]) => Promise<T>
  /** Gives a command with any key. @returns what it printed, as text */
  type: (key: OperatorKey, ...words: string[]) => Promise<{ code: number; out: string; err: string }>
}

/** @param clock the time that the database would say */
export async function startOperators(
  url: string,
  clock: Clock,
  deps: Partial<CommandDeps> = {},
  names: readonly string[] = ['ada', 'bob'],
): Promise<TestOperators> {
  const keys = new Map(names.map((name) => [name, newKey()]))
  const type = async (key: OperatorKey, ...words: string[]) => {
    let [out, err] = ['', '']
    const code = await runCommand(words, {
      readTime: () => Promise.resolve(clock.now()),
      openKey: () => Promise.resolve(key),
      openDatabase: () => Promise.resolve(openDatabase({ url, log: silentLog(), poolSize: 1 })),
      write: (text) => (out += text),
      writeError: (text) => (err += text),
      ...deps,
    })
    return { code, out, err }
  }
  const give = async <T>(name: string, ...words: string[]): Promise<T> => {
    const key = keys.get(name)
    if (key === undefined) throw new Error(`there is no operator ${name} in this test`)
    const { code, out, err } = await type(key, '--json', ...words)
    if (code !== 0) throw new Error(err)
    return JSON.parse(out) as T
  }
  const both = async <T>(...words: string[]): Promise<T> => {
    await give('ada', ...words)
    return give<T>('bob', ...words)
  }
  for (const [name, key] of keys) await give('ada', 'operator', 'add', name, '--key', key.publicKey)
  return { keys, give, both, type }
}
