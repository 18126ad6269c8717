import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { silentLog } from '../kernel/log.ts'
import { keptLog } from '@candela/testing/server/kept-log'
import { startWorker } from './worker.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const queue = (task: string) => sql`select graphile_worker.add_job(${task})`.execute(database.db)

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
  await expect.poll(() => runs).toContain('good')
  const jobs = async () => {
    const { rows } = await sql`
      select last_error, attempts > 0 as tried, attempts < max_attempts as kept
      from graphile_worker.jobs where task_identifier = 'bad'`.execute(database.db)
    return rows
  }
  const failed = { last_error: expect.stringContaining('not today') as string, tried: true, kept: true }
  await expect.poll(jobs).toEqual([failed])

  await queue('slow')
  await expect.poll(() => runs).toContain('slow begins')
  const stopped = worker.stop()
  slow.resolve()
  await Promise.all([stopped, worker.stop()])
  expect(runs).toContain('slow ends')
})

test('the log has what failed, with its cause and where', async () => {
  const { log, lines } = keptLog('error')
  const cause = new Error('the disk is full')
  const task = { match: '0 0 1 1 *', run: () => Promise.reject(new Error('not written', { cause })) }
  const worker = await startWorker({ databaseUrl: database.url, log, tasks: { failing: task } })
  await queue('failing')
  await expect.poll(() => lines).not.toEqual([])
  await worker.stop()
  const reported = lines.map((line) => JSON.parse(line) as { event: string; err?: { message: string; stack: string } })
  expect(reported).toEqual([
    expect.objectContaining({
      event: 'worker.library-reported',
      part: 'worker',
      err: expect.objectContaining({
        type: 'Error',
        message: 'not written: the disk is full',
        stack: expect.stringContaining('worker.test.ts') as string,
      }) as object,
    }),
  ])
})

test('does at once what a worker that was killed has left locked', async () => {
  const runs: string[] = []
  const task = { match: '0 0 1 1 *', run: () => Promise.resolve(void runs.push('left')) }
  await queue('left')
  const { numAffectedRows } = await sql`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', attempts = 1
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'left')`.execute(database.db)
  expect(numAffectedRows).toBe(1n)
  const worker = await startWorker({ databaseUrl: database.url, log: silentLog(), tasks: { left: task } })
  await expect.poll(() => runs).toEqual(['left'])
  await worker.stop()
})

test('goes on when its connection is cut while it notes that a task is finished', async () => {
  const runs: string[] = []
  const gate = Promise.withResolvers<void>()
  const cut = async () => {
    runs.push('cut')
    await gate.promise
  }
  const next = () => Promise.resolve(void runs.push('next'))
  const match = '0 0 1 1 *'
  const tasks = { cut: { match, run: cut }, next: { match, run: next } }
  const worker = await startWorker({ databaseUrl: database.url, log: silentLog(), tasks })
  await queue('cut')
  await expect.poll(() => runs).toEqual(['cut'])
  await database.db.transaction().execute(async (tx) => {
    await sql`lock table graphile_worker._private_jobs`.execute(tx)
    gate.resolve()
    const waiting = async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_locks where not granted and relation = 'graphile_worker._private_jobs'::regclass`.execute(tx)
      return rows
    }
    await expect.poll(waiting).not.toEqual([])
    for (const { pid } of await waiting()) await sql`select pg_terminate_backend(${pid}::int)`.execute(tx)
  })
  await queue('next')
  await expect.poll(() => runs).toEqual(['cut', 'next'])
  await worker.stop()
})

test('what a server with a clock ahead has left for a day that is far away is due now', async () => {
  const runs: string[] = []
  const tasks = {
    future: { match: '0 0 1 1 *', run: () => Promise.resolve(void runs.push('future')) },
    each: { match: '* * * * *', run: () => Promise.resolve(void runs.push('each')) },
  }
  const { log, lines } = keptLog('warn')
  const options = { databaseUrl: database.url, log, tasks }
  await (await startWorker(options)).stop()
  await sql`select graphile_worker.add_job('future', run_at => now() + interval '1 day')`.execute(database.db)
  await sql`
    update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 day'
    where identifier = 'each'`.execute(database.db)
  runs.splice(0)
  const worker = await startWorker(options)
  onTestFinished(() => worker.stop())
  await expect.poll(() => new Set(runs)).toEqual(new Set(['each', 'future']))
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ event: 'worker.time-set-back', tasks: 2 }),
  ])
})
