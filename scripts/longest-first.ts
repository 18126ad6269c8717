import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = join(import.meta.dirname, '..')

/**
 * Files that take longest, mostly waiting for blocks. They begin first within their group: one of them that begins late is what
 * everything else then waits for, on a processor that has little to do. Seen in the durations of a whole run.
 */
const longest = [
  'tests/journeys/outcome/lost-answers.long.test.ts',
  'tests/journeys/engines/engines.long.test.ts',
  'tests/journeys/money/deposit.long.test.ts',
  'tests/journeys/money/withdraw.long.test.ts',
  'tests/journeys/network/calls.long.test.ts',
  'tests/journeys/wallet/wallets.long.test.ts',
  'tests/journeys/screens/every-screen.long.test.ts',
  'tests/journeys/operator/what-members-see.long.test.ts',
  'server/test/lending/attacks/price-attacks.long.test.ts',
  'server/test/faults/leases.long.test.ts',
  'server/test/release/rolling-restart.long.test.ts',
  'devnet/chain/chain.long.test.ts',
  'devnet/cluster/faults.long.test.ts',
  'contracts/contracts.test.ts',
  'tests/journeys/power/buy-power.test.ts',
  'tests/journeys/account/enter.test.ts',
  'tests/journeys/money/transfer.long.test.ts',
  'server/test/api/api-contract.test.ts',
  'devnet/start.long.test.ts',
] as const

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

/** Vitest's own order, by size and by the durations of the last run, behind the files that are known to take longest. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = longest.filter((file) => !existsSync(join(root, file)))
    if (missing.length > 0)
      throw new Error(`scripts/longest-first.ts names files that do not exist: ${missing.join(', ')}`)
    const places = new Map<string, number>(longest.map((file, place) => [file, place]))
    const placeOf = ({ moduleId }: TestSpecification) =>
      places.get(relative(root, moduleId).replaceAll('\\', '/')) ?? longest.length
    const usual = await BaseSequencer.prototype.sort.call(this, files)
    return usual.toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b))
  }
}
