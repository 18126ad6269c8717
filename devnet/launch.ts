/** A launcher on the command line shows lines with the time since its start, and stops everything at a signal. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { npmEnded } from './parent.ts'
import { showHelp } from '../scripts/usage.ts'

const write = (text: string) => void process.stdout.write(`${text}\n`)

/** The result of a start. */
export interface Launched {
  /** Shown when everything runs. */
  announcement: string
  /** Resolves with the reason when a part cannot go on. */
  failed: Promise<Error>
  stop: () => Promise<void>
}

/**
 * Runs until a signal or a failure, with the settings of `.env`; then stops everything. Sets the exit code. With `--help` it only
 * prints the first comment of `program`, which is the path of its source.
 */
export async function launch(
  program: string,
  start: (options: { log: (line: string) => void; signal: AbortSignal }) => Promise<Launched>,
): Promise<void> {
  showHelp(program)
  const beganMs = performance.now()
  const log = (line: string) => write(`${((performance.now() - beganMs) / 1000).toFixed(1).padStart(7)} s  ${line}`)
  const stopping = new AbortController()
  // A Ctrl-C arrives more than once: the terminal sends it to all, and npm passes it on.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
  // The terminal has been closed, or the program that read the lines; or the disk that they go to is full.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stopping.abort())
  void npmEnded(stopping.signal).then(() => stopping.abort())
  try {
    const settings = join(import.meta.dirname, '..', '.env')
    if (existsSync(settings)) process.loadEnvFile(settings)
    const launched = await start({ log, signal: stopping.signal })
    log('Ready')
    write(launched.announcement)
    const reason = await Promise.race([launched.failed, aborted(stopping.signal)])
    if (reason !== undefined) {
      process.exitCode = 1
      log(`Cannot go on: ${oneLine(reason)}`)
    }
    log('Stopping')
    await launched.stop()
    log('Stopped; everything is kept for the next start')
  } catch (error) {
    if (stopping.signal.aborted) log('Stopped before the start was complete; the next start goes on from here')
    else {
      process.stderr.write(`candela: ${oneLine(error)}\n`)
      process.exitCode = 1
    }
  }
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  if (/shared memory segment.*No space left/.test(text)) return `${text} (/dev/shm is too small)`
  return /ENOSPC|No space left/.test(text) ? `${text}: make room, and start again` : text
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
