import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { requestIdField, timeData } from '../fields.ts'

/**
 * done: what was asked for under this id has been done. underWay: it is being done at this moment. givenUp: it never will be done.
 * unknown: nobody knows yet. The request may still arrive, so this is no outcome.
 */
export const commandStates = ['done', 'underWay', 'givenUp', 'unknown'] as const

const outcomeData = z.object({
  state: z.enum(commandStates),
  /** When it was done or given up; null for the other two. */
  at: timeData.nullable(),
  /** The facts that the first answer of a done command was made of, such as the number of the loan. */
  result: z.record(z.string(), z.unknown()).nullable(),
})

export const commandEndpoints = {
  'GET command/outcome': endpoint({
    summary:
      'What became of a command, by the request id that it was sent under. One that is done can be sent again for its whole answer.',
    auth: 'session',
    input: z.object({ requestId: requestIdField }),
    data: outcomeData,
    errors: ['requestTooOld'],
  }),
  'POST command/giveUp': endpoint({
    summary:
      'Gives up a command, so that it is refused whenever it arrives; answers done when it has been done already.',
    auth: 'session',
    input: z.object({ requestId: requestIdField }),
    data: outcomeData,
    errors: ['requestTooOld'],
  }),
}
