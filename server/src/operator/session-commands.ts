import { OperatorError } from '../kernel/errors.ts'
import type { Command } from 'commander'
import { endAllSessions } from '../modules/session/end-all-sessions.ts'
import type { Run } from './run.ts'

export function addSessions(program: Command, run: Run): void {
  const group = program.command('session').description('who is signed in')
  group
    .command('end')
    .description('sign out every device of a member, or of everybody, at once')
    .requiredOption('--of <whom>', 'member:<uid>, or everybody')
    .action((input: { of: string }) =>
      run({ command: 'session end', signers: 1 }, input, async (tx, now) => {
        const ended = await endAllSessions(tx, readWhom(input.of), now)
        if (ended === undefined) throw new OperatorError(`there is no member with the UID of "${input.of}"`)
        return { ...input, ended }
      }),
    )
}

function readWhom(of: string): { uid: bigint } | 'everybody' {
  if (of === 'everybody') return of
  const [, uid] = /^member:([1-9][0-9]{0,17})$/.exec(of) ?? []
  if (uid !== undefined) return { uid: BigInt(uid) }
  throw new OperatorError(`"${of}" is nobody to sign out: it is member:<uid>, or everybody`)
}
