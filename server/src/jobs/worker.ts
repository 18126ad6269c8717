import { HOUR_MS } from '@candela/protocol/units'
import { Logger, parseCronItems, run, type Runner } from 'graphile-worker'
import { stopwatch } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'

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
  const runner: Runner = await run({
    connectionString: databaseUrl,
    maxPoolSize: 3,
    concurrency: 1,
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
  let stopped: Promise<void> | undefined
  return { stop: () => (stopped ??= runner.stop()) }
}

async function runTask(name: string, task: PeriodicTask, log: Log): Promise<void> {
  const elapsed_ms = stopwatch()
  const done = (await task.run()) ?? {}
  const entry = { task: name, duration_ms: Math.round(elapsed_ms()), ...done }
  // Most rounds find nothing to do, which is news only for somebody who debugs.
  if (Object.values(done).some((count) => count > 0)) log.info(entry, 'periodic task')
  else log.debug(entry, 'periodic task')
}

/** The library's lines in our log; its chatter about each job only where somebody debugs. */
function pinoLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ ...meta, part: 'worker' }, message)
    else if (level === 'warning') log.warn({ part: 'worker' }, message)
    else log.debug({ part: 'worker' }, message)
  })
}
