/** Whether the past of a new development chain was made to its end: a start that is killed meanwhile leaves this mark behind. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { discardEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { writeFileAtomic } from '@candela/testing/process/write-file-atomic'

/** How many days ago a chain with a past begins. Power that is bought then earns on all days but the first. */
export const HISTORY_DAYS = 4

/** `due`: nothing of it is made yet. `begun`: some of it may be. */
type Mark = 'due' | 'begun'

const fileOf = (dataDir: string) => join(dataDir, 'past')

/** Undefined when nothing is left to do. */
export async function readPastMark(dataDir: string): Promise<Mark | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '')
  return text === 'due' || text === 'begun' ? text : undefined
}

export const writePastMark = (dataDir: string, mark: Mark): Promise<void> => writeFileAtomic(fileOf(dataDir), mark)

export const removePastMark = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true })

/**
 * Removes a database and a chain with half a past. The server has not run with them yet, so nothing of anybody's is in them. Killed
 * meanwhile, the next start goes on with it.
 */
export async function discardHalfPast(dataDir: string): Promise<void> {
  const postgres = join(dataDir, 'postgres')
  if (existsSync(postgres)) await discardEmbeddedPostgres(postgres)
  for (const name of ['chain', 'deployment.json', 'operators']) {
    await rm(join(dataDir, name), { recursive: true, force: true })
  }
  await removePastMark(dataDir)
}
