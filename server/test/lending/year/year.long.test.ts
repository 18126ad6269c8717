import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { expect, test } from 'vitest'
import { runYear } from './run-year.ts'

/** A small sample by default; `YEARS=20 npx vitest run server/test/lending/year` for whole years, from seed `YEAR_SEED`. */
const YEARS = Number(process.env['YEARS'] ?? 0)
const SEED = Number(process.env['YEAR_SEED'] ?? 1)

const SAMPLE = { borrowers: 40, fundMembers: 12, days: 60, deals: 3, defaultDays: 20 }
const WHOLE_YEAR = { borrowers: 1_000, fundMembers: 300, days: 365, deals: 15, defaultDays: 60 }

const print = (line: string): void => void process.stdout.write(`${line}\n`)

if (YEARS === 0) {
  test('sixty days of loans and of the fund are in the ledger to the base unit', async () => {
    const { liquidations, states } = await runYear(SEED, SAMPLE)
    // A sample in which nothing happens would show nothing. How often the rest happens depends on which act comes first.
    expect(liquidations).toBeGreaterThan(0)
    expect(Object.keys(states)).toContain('repaid')
  })
}

test.each(Array.from({ length: YEARS }, (_, nth) => SEED + nth))(
  'a year of 1,000 borrowers and 300 members of the fund, seed %i',
  async (seed) => {
    const started = performance.now()
    const found = await runYear(seed, WHOLE_YEAR)
    const seconds = ((performance.now() - started) / 1_000).toFixed(0)
    print(
      `YEAR_SEED=${seed}: ${seconds} s, ${JSON.stringify(found, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
    )
    expect(found.liquidations).toBeGreaterThan(0)
  },
  60 * HANGS_AFTER_MS,
)
