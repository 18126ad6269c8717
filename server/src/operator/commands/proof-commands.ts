import { utcDay } from '@candela/protocol/calendar'
import { OperatorError } from '../../kernel/errors.ts'
import { requestAttestation } from '../../modules/proof/attest/request-attestation.ts'
import type { Bindings } from '../run.ts'

export const attestCommands: Bindings<'attest'> = {
  attest: async (tx, _input, { now }) => {
    const day = utcDay(now)
    if (!(await requestAttestation(tx, day, now))) throw new OperatorError(`${day} is attested, or about to be`)
    return { day, state: 'the service attests it with its next round' }
  },
}
