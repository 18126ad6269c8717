import { OperatorError } from '../../kernel/errors.ts'
import type { Bindings } from '../run.ts'
import { verifyAudit } from '../signing/verify-audit.ts'

export const auditCommands: Bindings<'audit verify'> = {
  'audit verify': async (tx) => {
    const { bad, ...counts } = await verifyAudit(tx)
    // More than an operator reads at once is one incident.
    const lines = bad.slice(0, 20).map((each) => `\n  ${each}`)
    if (bad.length > 0)
      throw new OperatorError(`the audit table is not what was signed (${bad.length}):${lines.join('')}`)
    return { ...counts, result: 'every signature is right' }
  },
}
