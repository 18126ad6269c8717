import { OperatorError } from '../../kernel/errors.ts'
import { endAllSessions } from '../../modules/session/end-all-sessions.ts'
import type { Bindings } from '../run.ts'

export const sessionCommands: Bindings<'session end'> = {
  'session end': async (tx, input, { now }) => {
    const ended = await endAllSessions(tx, readWhom(input.of), now)
    if (ended === undefined) throw new OperatorError(`there is no member with the UID of "${input.of}"`)
    return { ...input, ended }
  },
}

function readWhom(of: string): { uid: bigint } | 'everybody' {
  if (of === 'everybody') return of
  const [, uid] = /^member:([1-9][0-9]{0,17})$/.exec(of) ?? []
  if (uid !== undefined) return { uid: BigInt(uid) }
  throw new OperatorError(`"${of}" is nobody to sign out: it is member:<uid>, or everybody`)
}
