import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

const CENSOR = '[secret]'

export type LogOptions = { level: string; destination?: DestinationStream }

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
  'private_key',
  'mnemonic',
  'seed',
  'password',
  'secret',
]

// Lines are written together: each write of its own would cost a call as much as reading its form. What is not written
// yet when the process is killed outright is at most this old; every other end writes it.
const FLUSH_MS = 100
const FLUSH_BYTES = 8_192

/** Standard output, in pieces of many lines. */
function standardOutput(): DestinationStream {
  const destination = pino.destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: FLUSH_BYTES,
    periodicFlush: FLUSH_MS,
  })
  process.once('exit', () => destination.flushSync())
  return destination
}

/** One JSON object a line, to standard output unless told otherwise. Secrets are blotted out by name. */
export function createLog({ level, destination = standardOutput() }: LogOptions): Log {
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
 * The same log for lines that are many and have no depth: secrets are blotted out by name at the top only, since
 * looking for them further down costs thirty times what the line does.
 */
export function flatLog(log: Log): Log {
  return log.child({}, { redact: { paths: secretNames, censor: CENSOR } })
}

/** A log that goes nowhere, for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}
