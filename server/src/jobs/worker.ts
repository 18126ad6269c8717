import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '@candela/protocol/units'
import { Logger, makeWorkerUtils, parseCronItems, run, type Runner } from 'graphile-worker'
import { type ConnectionPool, openPool } from '../db/open.ts'
import { stopwatch } from '../kernel/clock.ts'
import { reasonOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

const RESTART_PAUSE_MS = 1_000
/** No repetition of a failed task is put off for as long. In hours. */
const FUTURE_HOURS = 1

/** Periodic work: when (a cron pattern in UTC) and what. Running it twice must do no harm. */
export type PeriodicTask = {
  match: string
  run: () => Promise<Record<string, number> | void>
}

export type Worker = {
  /** Lets the task under way finish. May be called twice. */
  stop(): Promise<void>
}

/**
 * Runs periodic tasks from Postgres' own queue: a task missed while we were down runs once when we are back (up to an
 * hour later), a failed one is repeated with growing pauses, and a task is never queued twice.
 */
export async function startWorker(options: {
  databaseUrl: string
  tasks: Readonly<Record<string, PeriodicTask>>
  log: Log
}): Promise<Worker> {
  const { databaseUrl, tasks, log } = options
  const pgPool = openPool(log, { connectionString: databaseUrl, max: 3 })
  const start = (): Promise<Runner> =>
    run({
      pgPool,
      concurrency: 1,
      // Without a delay the library leaves it unhandled when it cannot note that a task is over, for example because the
      // connection was cut, and that would end the whole process. With one, be it 0 ms, the runner ends and is started anew.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      // Shutting down is up to main, which stops all parts in order.
      noHandleSignals: true,
      logger: pinoLogger(log),
      taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, () => runTask(name, task, log)])),
      parsedCronItems: parseCronItems(
        Object.entries(tasks).map(([task, { match }]) => ({
          task,
          match,
          options: { jobKey: task, jobKeyMode: 'replace', maxAttempts: 5, backfillPeriod: HOUR_MS },
        })),
      ),
    })
  try {
    await unlockAbandoned(pgPool, log)
    await setBackFuture(pgPool, log)
    const worker = keepRunning(await start(), start, log)
    let stopped: Promise<void> | undefined
    return { stop: () => (stopped ??= worker.stop().then(() => pgPool.end())) }
  } catch (error) {
    await pgPool.end()
    throw error
  }
}

/**
 * A worker that was killed leaves its task locked for four hours. Only one server runs tasks at a time, so what is locked before it
 * begins belongs to nobody who may still do it.
 */
async function unlockAbandoned(pgPool: ConnectionPool, log: Log): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool, logger: pinoLogger(log) })
  try {
    await utils.migrate()
    const { rows } = await utils.withPgClient((client) =>
      client.query<{ locked_by: string }>(
        'select distinct locked_by from graphile_worker.jobs where locked_by is not null',
      ),
    )
    if (rows.length > 0) await utils.forceUnlockWorkers(rows.map((row) => row.locked_by))
  } finally {
    await utils.release()
  }
}

/**
 * A server whose clock was ahead for a moment leaves tasks that are due then, and patterns that count as done until then: nothing would
 * run before that day. By the time of the database, all of them are due now.
 */
async function setBackFuture(pgPool: ConnectionPool, log: Log): Promise<void> {
  const { rows } = await pgPool.query<{ set_back: string }>(`
    with jobs as (
      update graphile_worker._private_jobs set run_at = now()
      where run_at > now() + interval '${FUTURE_HOURS} hour' returning 1
    ), crontabs as (
      update graphile_worker._private_known_crontabs
      set last_execution = now() - interval '1 hour', known_since = least(known_since, now() - interval '1 hour')
      where last_execution > now() + interval '1 minute' returning 1
    )
    select (select count(*) from jobs) + (select count(*) from crontabs) as set_back`)
  const setBack = Number(rows[0]?.set_back)
  if (setBack > 0)
    log.warn(
      { event: 'worker.time-set-back', tasks: setBack },
      'periodic tasks stood far in the future; they are due now',
    )
}

/** Starts the runner again whenever it ends by itself, as it does when it loses its connection at a bad moment. */
function keepRunning(first: Runner, start: () => Promise<Runner>, log: Log): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  let runner = first
  const keeping = (async () => {
    for (;;) {
      await runner.promise.catch(() => undefined)
      if (signal.aborted) return
      log.warn({ event: 'worker.ended' }, 'the worker for periodic tasks ended by itself; starting it again')
      for (let isUp = false; !isUp;) {
        await sleep(RESTART_PAUSE_MS, undefined, { signal }).catch(() => undefined)
        if (signal.aborted) return
        try {
          runner = await start()
          isUp = true
        } catch (error) {
          log.warn(
            { event: 'worker.start-failed', reason: reasonOf(error) },
            'the worker for periodic tasks does not start yet',
          )
        }
      }
      // Stopped while the runner was starting.
      if (signal.aborted) return runner.stop()
    }
  })()
  const stop = async (): Promise<void> => {
    stopping.abort()
    // A runner that ended by itself is stopped already.
    await runner.stop().catch(() => undefined)
    await keeping
  }
  return { stop }
}

async function runTask(name: string, task: PeriodicTask, log: Log): Promise<void> {
  const elapsed_ms = stopwatch()
  const done = (await task.run()) ?? {}
  const entry = { event: 'task.finished', task: name, durationMs: Math.round(elapsed_ms()), ...done } as const
  // Most runs find nothing to do, so only the level debug shows them.
  if (Object.values(done).some((count) => count > 0)) log.info(entry, 'periodic task')
  else log.debug(entry, 'periodic task')
}

/** The library's lines in our log; what it says about each job only at the level `debug`. */
function pinoLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    // JSON keeps of an error what its name decides: of one that is not `err` nothing is left.
    const { error: err, ...facts } = meta ?? {}
    if (level === 'error') log.error({ event: 'worker.library-reported', ...facts, err, part: 'worker' }, message)
    else if (level === 'warning') log.warn({ event: 'worker.library-reported', ...facts, err, part: 'worker' }, message)
    else log.debug({ event: 'worker.library-reported', part: 'worker' }, message)
  })
}
