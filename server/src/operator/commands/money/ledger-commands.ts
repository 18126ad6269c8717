import { OperatorError } from '../../../kernel/errors.ts'
import { lastAuditAt } from '../../../ledger/audit/audit-round.ts'
import { acceptFinding, listOpenFindings } from '../../../ledger/audit/findings.ts'
import type { Bindings } from '../../run.ts'

/** The service audits each hour; after twice as long something is wrong with it. */
const FRESH_MS = 7_200_000

export const ledgerCommands: Bindings<'ledger show' | 'ledger accept'> = {
  'ledger show': async (tx, _input, { now }) => {
    const findings = await listOpenFindings(tx)
    if (findings.length > 0) return findings.map(({ found_at, ...finding }) => ({ ...finding, foundAt: found_at }))
    const last = await lastAuditAt(tx)
    if (last === undefined || now.getTime() - last.getTime() > FRESH_MS) {
      const when = last === undefined ? 'there was no whole audit yet' : `the last audit is of ${last.toISOString()}`
      throw new OperatorError(`${when}: the service does not run, or its audit fails`)
    }
    return { findings: 'none', lastAudit: last }
  },
  'ledger accept': async (tx, { id, note }, { now }) => {
    const accepted = /^[1-9][0-9]{0,17}$/.test(id) && (await acceptFinding(tx, BigInt(id), note, now))
    if (!accepted) throw new OperatorError(`there is no open finding ${id}`)
    return { id, acceptedAt: now }
  },
}
