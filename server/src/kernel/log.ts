import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

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

/** One JSON object a line, to standard output unless told otherwise. Secrets are blotted out by name. */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[secret]',
      },
    },
    options.destination,
  )
}

/** A log that goes nowhere, for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}
