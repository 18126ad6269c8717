/** The two operators of a development installation: their keys are files under its data folder, so nobody has to do anything. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '@candela/server/db/open'
import type { Clock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { type CommandDeps, runCommand } from '@candela/server/operator/run-command'
import { createKeyFile } from '@candela/server/operator/signing/create-key-file'
import { loadOperatorKey } from '@candela/server/operator/signing/operator-key'
import { listOperators } from '@candela/server/operator/signing/operators'
import { listProposals, type Proposed } from '@candela/server/operator/signing/proposals'

/** The operators whose keys `npm start` makes. What needs two operators is signed by both. */
export const operatorNames = ['first', 'second'] as const
export type OperatorName = (typeof operatorNames)[number]

/** Where the private key of one of them is. */
export const keyFileOf = (dataDir: string, name: OperatorName): string => join(dataDir, 'operators', `${name}.key`)

/** Where commands are given, and with whose keys. */
export type Installation = { databaseUrl: string; dataDir: string; clock: Clock }

/** Gives an operator's command as it would be typed. @throws when it is refused */
export async function give(
  { databaseUrl, dataDir, clock }: Installation,
  operator: OperatorName,
  words: readonly string[],
  deps: Partial<CommandDeps> = {},
): Promise<void> {
  let said = ''
  const code = await runCommand(words, {
    readTime: () => Promise.resolve(clock.now()),
    openKey: () => loadOperatorKey(keyFileOf(dataDir, operator)),
    openDatabase: () => Promise.resolve(openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 2 })),
    write: () => undefined,
    writeError: (text) => (said += text),
    ...deps,
  })
  if (code !== 0) throw new Error(`candela ${words.join(' ')}: ${said}`)
}

/**
 * Gives a command that two operators have to sign. Cut short between them, the next run finds the first one's proposal.
 * @param isSame of a proposal that waits
 */
export async function giveByBoth(
  db: Database,
  installation: Installation,
  words: readonly string[],
  isSame: (proposal: Proposed) => boolean,
): Promise<void> {
  const isProposed = (await listProposals(db, installation.clock.now())).some(isSame)
  for (const operator of isProposed ? operatorNames.slice(1) : operatorNames) await give(installation, operator, words)
}

/** Makes the keys and registers the operators that are missing. @returns how many were added */
export async function addOperators(db: Database, installation: Installation): Promise<number> {
  const known = await listOperators(db)
  let added = 0
  for (const name of operatorNames) {
    const file = keyFileOf(installation.dataDir, name)
    if (known.some((one) => one.name === name)) continue
    if (!existsSync(file)) await createKeyFile(file)
    const { publicKey } = await loadOperatorKey(file)
    await give(installation, 'first', ['operator', 'add', name, '--key', publicKey])
    added += 1
  }
  return added
}
