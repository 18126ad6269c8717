import { connectDatabasePool, type DatabasePool } from '../run/databases.ts'
import { type CrowdResult, runCrowd } from './crowd.ts'

let pool: DatabasePool | undefined

/** The work of a worker thread for each seed. Its databases are used for all of its seeds. */
export default function runTask({
  url,
  template,
  seed,
}: {
  url: string
  template: string
  seed: number
}): Promise<CrowdResult> {
  pool ??= connectDatabasePool(url, template)
  return runCrowd(pool, seed)
}
