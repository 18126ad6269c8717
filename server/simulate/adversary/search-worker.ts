import { connectDatabasePool, type DatabasePool } from '../run/databases.ts'
import { type AdversaryResult, searchGain, type SearchOptions } from './search.ts'

let pool: DatabasePool | undefined

/** The work of a worker thread for each seed. Its databases are used for all of its seeds. */
export default function runTask({
  url,
  template,
  seed,
  ...options
}: SearchOptions & { url: string; template: string; seed: number }): Promise<AdversaryResult> {
  pool ??= connectDatabasePool(url, template)
  return searchGain(pool, seed, options)
}
