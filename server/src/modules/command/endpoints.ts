import type { Data } from '@candela/protocol/endpoints'
import { giveUpRequest, readOutcome, type RequestOutcome } from '../../db/idempotency/request-outcome.ts'
import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'

/** The outcome of a command whose answer was lost, and its end when it is not wanted any more. */
export function commandHandlers({ db }: { db: Database }): Handlers<'GET command/outcome' | 'POST command/giveUp'> {
  return {
    'GET command/outcome': async (input, { memberId, now }) =>
      told(await readOutcome(db, { memberId, now, requestId: input.requestId })),
    'POST command/giveUp': async (input, { memberId, now }) =>
      told(await giveUpRequest(db, { memberId, now, requestId: input.requestId })),
  }
}

const told = (outcome: RequestOutcome): Data<'GET command/outcome'> => ({
  state: outcome.state,
  at: 'at' in outcome ? outcome.at.toISOString() : null,
  result: outcome.state === 'done' ? outcome.result : null,
})
