import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogEvent } from './log-events.ts'

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/**
 * The facts of a line. Names are camelCase; a duration is `durationMs`, and `chain` is the id of the chain concerned.
 */
type Facts = Record<string, unknown>

/**
 * The server logs to this: pino, of which only this much may be used, so that no line is without an event from the list. The event
 * comes first, then the facts; prose for people is the message.
 */
export type Log = Record<Level, (entry: Facts & { event: LogEvent }, message: string) => void>

/** A log whose lines all have the same event. */
export type EventLog = Record<Level, (entry: Facts & { event?: never }, message: string) => void>

const CENSOR = '[secret]'

export type LogOptions = { level: string; destination: DestinationStream }

// Names under which a secret can reach a log line, at the top or one or two levels down (a request, its headers).
const secretNames = [
  'authorization',
  'Authorization',
  'cookie',
  'token',
  'signature',
  'sign',
  'handshake',
  'privateKey',
  'payerKey',
  'PAYER_KEY',
  'attesterKey',
  'ATTESTER_KEY',
  'private_key',
  'mnemonic',
  'seed',
  'password',
  'secret',
]

// Lines are written together, because one write for each would cost as much as parsing a request. When the process is
// killed, lines of at most this age are lost; at every other end they are written.
const FLUSH_MS = 100
const FLUSH_BYTES = 8_192

/** The most that waits for a reader of standard output that does not read; later lines are lost, and counted. */
const WAITING_BYTES = 16 * 1024 * 1024

export type ProcessLog = {
  log: Log
  /** Resolves when every line so far is written, or the reader has gone: never while there is a reader that does not read. */
  written: () => Promise<void>
}

/** The log of a process, to standard output, in pieces of many lines. */
export function processLog(level: string): ProcessLog {
  const destination = pino.destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: FLUSH_BYTES,
    maxLength: WAITING_BYTES,
    periodicFlush: FLUSH_MS,
  })
  process.once('exit', () => destination.flushSync())
  const log = createLog({ level, destination })
  let lost = 0
  destination.on('drop', () => (lost += 1))
  destination.on('drain', () => {
    if (lost === 0) return
    const lines = lost
    lost = 0
    log.warn({ event: 'log.lines-lost', lines }, 'lines of the log were lost, because standard output was not read')
  })
  return {
    log,
    written: () =>
      new Promise((resolve) => {
        destination.once('error', () => resolve())
        destination.flush(() => resolve())
      }),
  }
}

/** One JSON object a line. Secrets are replaced by name. */
export function createLog({ level, destination }: LogOptions): Log {
  return pino(
    {
      level,
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: CENSOR,
      },
    },
    destination,
  )
}

/**
 * The same log for many lines of one event without nested facts. The event is serialised once. Secrets are replaced by
 * name at the top level only, since searching deeper costs thirty times what the line does.
 */
export function flatLog(log: Log, event: LogEvent): EventLog {
  // Every `Log` is made in this file, by pino.
  return (log as Logger).child({ event }, { redact: { paths: secretNames, censor: CENSOR } })
}

/** A log that goes nowhere, for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}
