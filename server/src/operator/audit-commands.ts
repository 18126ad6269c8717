import type { Command } from 'commander'
import { OperatorError } from '../kernel/errors.ts'
import type { Run } from './run.ts'
import { verifyAudit } from './signing/verify-audit.ts'

export function addAudit(program: Command, run: Run): void {
  program
    .command('audit')
    .description('what operators have done')
    .command('verify')
    .description('check every signature again, and that none is missing')
    .action(() =>
      run({ command: 'audit verify', signers: 0 }, {}, async (tx) => {
        const { bad, ...counts } = await verifyAudit(tx)
        // More than an operator reads at once is one incident.
        const lines = bad.slice(0, 20).map((each) => `\n  ${each}`)
        if (bad.length > 0)
          throw new OperatorError(`the audit table is not what was signed (${bad.length}):${lines.join('')}`)
        return { ...counts, result: 'every signature is right' }
      }),
    )
}
