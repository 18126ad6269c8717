import { codes } from '@candela/protocol/codes/codes'
import { endpointRoute } from '@candela/protocol/endpoint'
import type { Key } from '@candela/protocol/endpoints'
import { type ForCalls, NoTurn } from '../../db/for-calls.ts'
import { isLockTimeout } from '../../db/open.ts'
import { AppError, reasonOf } from '../../kernel/errors.ts'
import type { Handlers } from '../../kernel/handler.ts'
import type { Log } from '../../kernel/log.ts'
import { composeHandlers, type HandlerParts } from './compose-handlers.ts'

/** After this long, in seconds, somebody who was told that the service is busy asks again. */
const BUSY_S = 5

type AnyHandler = (input: unknown, context: unknown) => Promise<unknown>

/**
 * The handlers that answer the calls of a server: those that change something have a part of the connections, so that they never keep
 * reads from answering. One that waits too long for what another holds is answered with code 429.
 */
export function handlersForCalls(parts: Omit<HandlerParts, 'db'>, { reads, commands }: ForCalls): Handlers<Key> {
  const ofReads = composeHandlers({ ...parts, db: reads })
  const ofCommands = composeHandlers({ ...parts, db: commands })
  const keys = Object.keys(ofReads) as Key[]
  const entries = keys.map((key) => {
    const handler = (endpointRoute(key).method === 'GET' ? ofReads : ofCommands)[key] as AnyHandler
    return [key, answerBusy(key, handler, parts.log)] as const
  })
  // The type of each handler is lost by the index.
  return Object.fromEntries(entries) as unknown as Handlers<Key>
}

const answerBusy =
  (route: Key, handler: AnyHandler, log: Log): AnyHandler =>
  async (input, context) => {
    try {
      return await handler(input, context)
    } catch (error) {
      if (!isLockTimeout(error) && !(error instanceof NoTurn)) throw error
      const reason = reasonOf(error)
      log.warn({ event: 'call.busy', route, reason }, 'a call waited too long for what another transaction has locked')
      throw new AppError(codes.slowDown, { seconds: BUSY_S })
    }
  }
