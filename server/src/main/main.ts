import { type Config, ConfigError, readConfig } from './config.ts'
import { reasonOf } from '../kernel/errors.ts'
import { clockOf, stopwatch, within } from '../kernel/clock.ts'
import { systemIds } from '../kernel/ids.ts'
import { processLog } from '../kernel/log.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** The service as a process: settings from the environment, signals, and an exit code that tells how it ended. */

/** In milliseconds, after draining. Who sends the signal has to wait longer before the one that cannot be caught. */
const STOP_LIMIT_MS = 8_000
/** In milliseconds: what the last lines of the log may take. */
const LOG_LIMIT_MS = 1_000

const sinceStart_ms = stopwatch()
const config = readSettings()
const { log, written } = processLog(config.logLevel)
const clock = clockOf(config.clockOffsetFile)

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    // Our own state is unknown; the database and the chain are right, and a new process reads them.
    log.fatal({ event: 'server.crashed', err: error }, 'unexpected failure')
    void end(1)
  })
}

let running: RunningServer | undefined
let stopping = false

// A Ctrl-C may arrive twice, from the terminal and from npm: the second must not end the process halfway.
process.on('SIGTERM', () => void shutDown('SIGTERM'))
process.on('SIGINT', () => void shutDown('SIGINT'))
if (config.exitWithParent) {
  process.stdin.once('close', () => void shutDown('standard input closed'))
  process.stdin.resume()
}

try {
  running = await startServer(config, { clock, ids: systemIds(clock), log })
  log.info(
    { event: 'server.started', url: running.url, mode: config.mode, durationMs: Math.round(sinceStart_ms()) },
    running.url === '' ? 'working' : 'listening',
  )
  running.failed.catch((error: unknown) => {
    log.fatal({ event: 'server.failed', reason: reasonOf(error) }, 'the server cannot continue')
    void shutDown('failure', 1)
  })
  // A signal that came while starting.
  if (stopping) await finish(0)
} catch (error) {
  if (!stopping) fail(startFailure(error))
  process.exit(0)
}

async function shutDown(reason: string, code: 0 | 1 = 0): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ event: 'server.stop-requested', reason }, 'stopping')
  const limit_ms = config.http.drain_ms + STOP_LIMIT_MS
  setTimeout(() => {
    log.error({ event: 'server.stop-timed-out', durationMs: limit_ms }, 'not stopped in time; exiting anyway')
    void end(1)
  }, limit_ms).unref()
  if (running !== undefined) await finish(code)
}

async function finish(code: 0 | 1): Promise<void> {
  const elapsed_ms = stopwatch()
  await running?.stop()
  log.info({ event: 'server.stopped', durationMs: Math.round(elapsed_ms()) }, 'stopped')
  await end(code)
}

/** Ends the process. */
async function end(code: 0 | 1): Promise<void> {
  try {
    await within(LOG_LIMIT_MS, written())
  } catch {
    // The reader of standard output does not read: a thread waits in a write, and `process.exit` would wait for that thread.
    process.kill(process.pid, 'SIGKILL')
  }
  process.exit(code)
}

function readSettings(): Config {
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message)
    throw error
  }
}

function startFailure(error: unknown): string {
  if (error instanceof Error && 'code' in error && 'port' in error && typeof error.port === 'number') {
    if (error.code === 'EADDRINUSE') return `port ${error.port} is taken: set PORT or stop what uses it`
    if (error.code === 'EACCES') return `port ${error.port} may not be used by this user: set PORT`
  }
  return reasonOf(error)
}

/** One line for people, and an exit code for machines. */
function fail(message: string): never {
  process.stderr.write(`candela: ${message}\n`)
  process.exit(1)
}
