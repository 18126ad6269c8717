import { join, resolve } from 'node:path'
import { type Clock, clockOf, systemClock } from '../kernel/clock.ts'
import { OperatorError } from '../kernel/errors.ts'

/**
 * The clock that the service has: the machine's, or on a development installation the one that `npm start` moves with
 * `CLOCK_OFFSET_FILE`, or a file under `DATA_DIR`.
 * @throws OperatorError when it would be moved in production
 */
export function findClock(env: Readonly<Record<string, string | undefined>>): Clock {
  const file = env['CLOCK_OFFSET_FILE']
  if (env['NODE_ENV'] === 'production') {
    if (file) throw new OperatorError('CLOCK_OFFSET_FILE is set: in production nothing may move the clock')
    return systemClock
  }
  if (file) return clockOf(resolve(file))
  // With a chain of its own `npm start` lets time pass there.
  return env['RPC_URL'] ? systemClock : clockOf(join(resolve(env['DATA_DIR'] || '.data'), 'clock-offset'))
}
