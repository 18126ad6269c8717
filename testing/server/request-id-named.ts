import { requestIdOf } from '@candela/protocol/request-id'
import { hash } from 'node:crypto'

/** The id that a client makes for a command at this time; the same name and time give the same id. */
export const requestIdNamed = (name: string, now: Date): string =>
  requestIdOf(now.getTime(), hash('sha256', name, 'buffer'))
