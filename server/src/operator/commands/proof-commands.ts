import { utcDay } from '@candela/protocol/calendar'
import type { Command } from 'commander'
import { OperatorError } from '../../kernel/errors.ts'
import { requestAttestation } from '../../modules/proof/attest/request-attestation.ts'
import type { Run } from '../run.ts'

export function addAttest(program: Command, run: Run): void {
  program
    .command('attest')
    .description('have the service attest today what is owed to members, without waiting for the time')
    .action(() =>
      run({ command: 'attest', signers: 1 }, {}, async (tx, now) => {
        const day = utcDay(now)
        if (!(await requestAttestation(tx, day, now))) throw new OperatorError(`${day} is attested, or about to be`)
        return { day, state: 'the service attests it with its next round' }
      }),
    )
}
