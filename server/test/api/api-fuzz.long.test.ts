/** Random calls from the schemas of the API and against them. */
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyForms } from './api-inputs.ts'
import { type ApiScenario, codeOf, keys, startApiScenario, wrongWith } from './api-scenario.ts'
import { addLendingState } from './lending-state.ts'

/** More by `FUZZ_CALLS=1000000 npx vitest run server/test/api/api-fuzz.long.test.ts`. */
const FUZZ_CALLS = Number(process.env['FUZZ_CALLS'] ?? 3_000)
/** More calls may take longer. */
const limit_ms = 6 * HANGS_AFTER_MS * Math.max(1, FUZZ_CALLS / 10_000)

let api: ApiScenario
beforeAll(async () => {
  api = await startApiScenario()
  await addLendingState(api.db, api.memberId)
})
afterAll(() => api[Symbol.asyncDispose]())

test(
  `${FUZZ_CALLS} calls from the schemas and against them: never our fault, never anything that is not in the table`,
  async () => {
    const each = Math.ceil(FUZZ_CALLS / keys.length)
    const rejections: unknown[] = []
    const note = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', note)
    const wrong: string[] = []
    const seen = new Map<number, number>()
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
    for (const key of keys) {
      for (const form of fc.sample(anyForms(key), { numRuns: each, seed })) {
        const answer = await api.call(key, form)
        const found = wrongWith(key, answer)
        seen.set(codeOf(answer), (seen.get(codeOf(answer)) ?? 0) + 1)
        if (found !== null) wrong.push(`${found} after ${JSON.stringify(form).slice(0, 400)}`)
      }
    }
    process.off('unhandledRejection', note)
    expect(wrong.slice(0, 20), `FUZZ_SEED=${seed}`).toEqual([])
    // A fuzz that is refused at the door tests only the door.
    expect(seen.get(200)).toBeGreaterThan(FUZZ_CALLS / 5)
    expect(seen.size).toBeGreaterThan(5)
    expect(rejections).toEqual([])
    expect(api.errors).toEqual([])
  },
  limit_ms,
)
