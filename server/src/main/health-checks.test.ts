import { expect, test } from 'vitest'
import { fakeClock } from '../kernel/clock.ts'
import type { Database } from '../db/open.ts'
import { healthChecks } from './health-checks.ts'

const nodeHealth = (missing: readonly string[] | null) => {
  const limits = { maxHeadAge_s: 120, maxLag_blocks: 30 }
  return healthChecks({ db: {} as Database, clock: fakeClock(), limits, missing: () => missing })['node']?.()
}

test('readiness says what the node lacks, and nothing of a node that has not answered', async () => {
  expect(await nodeHealth(['gas price', 'states kept'])).toEqual({ ok: false, lacks: 'gas price, states kept' })
  expect(await nodeHealth([])).toEqual({ ok: true, lacks: null })
  expect(await nodeHealth(null)).toEqual({ ok: true, lacks: null })
})
