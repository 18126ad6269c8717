import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../db/testing.ts'
import { silentLog } from '../kernel/log.ts'
import { startWorker } from './worker.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const queue = (task: string) => sql`select graphile_worker.add_job(${task})`.execute(database.db)

async function until(good: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await good()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('not in time')
}

test('runs its tasks, outlives one that fails and keeps that for another try, and lets the one under way finish', async () => {
  const runs: string[] = []
  const slow = Promise.withResolvers<void>()
  const worker = await startWorker({
    databaseUrl: database.url,
    log: silentLog(),
    tasks: {
      good: { match: '* * * * *', run: async () => void runs.push('good') },
      bad: { match: '0 0 1 1 *', run: () => Promise.reject(new Error('not today')) },
      slow: {
        match: '0 0 1 1 *',
        async run() {
          runs.push('slow begins')
          await slow.promise
          runs.push('slow ends')
        },
      },
    },
  })
  await queue('bad')
  await queue('good')
  await until(() => runs.includes('good'))
  const failed = await sql<{ attempts: number; last_error: string }>`
    select attempts, last_error from graphile_worker.jobs where task_identifier = 'bad'`.execute(database.db)
  expect(failed.rows).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('not today') as string }])

  await queue('slow')
  await until(() => runs.includes('slow begins'))
  const stopped = worker.stop()
  slow.resolve()
  await Promise.all([stopped, worker.stop()])
  expect(runs).toContain('slow ends')
})
