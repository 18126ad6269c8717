import { OperatorError } from '../../kernel/errors.ts'
import type { Command } from 'commander'
import { lastAuditAt } from '../../ledger/audit/audit-round.ts'
import { acceptFinding, listOpenFindings } from '../../ledger/audit/findings.ts'
import type { Run } from '../run.ts'

/** The service audits each hour; after twice as long something is wrong with it. */
const FRESH_MS = 7_200_000

export function addLedger(program: Command, run: Run): void {
  const group = program
    .command('ledger')
    .description('the journal of all money, checked against its own rules each hour')
  group
    .command('show', { isDefault: true })
    .description('what the audit found and nobody has mended or accepted')
    .action(() =>
      run({ command: 'ledger show', signers: 0 }, {}, async (tx, now) => {
        const findings = await listOpenFindings(tx)
        if (findings.length > 0) return findings.map(({ found_at, ...finding }) => ({ ...finding, foundAt: found_at }))
        const last = await lastAuditAt(tx)
        if (last === undefined || now.getTime() - last.getTime() > FRESH_MS) {
          const when =
            last === undefined ? 'there was no whole audit yet' : `the last audit is of ${last.toISOString()}`
          throw new OperatorError(`${when}: the service does not run, or its audit fails`)
        }
        return { findings: 'none', lastAudit: last }
      }),
    )
  group
    .command('accept')
    .description('let a finding that is explained, and that the journal keeps for ever, not pause withdrawals any more')
    .argument('<id>', 'its id as shown')
    .requiredOption('--note <text>', 'what explains it')
    .action((id: string, { note }: { note: string }) =>
      run({ command: 'ledger accept', signers: 2 }, { id, note }, async (tx, now) => {
        const accepted = /^[1-9][0-9]{0,17}$/.test(id) && (await acceptFinding(tx, BigInt(id), note, now))
        if (!accepted) throw new OperatorError(`there is no open finding ${id}`)
        return { id, acceptedAt: now }
      }),
    )
}
