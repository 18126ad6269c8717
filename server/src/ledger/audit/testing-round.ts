import { type AuditDeps, auditRound } from './audit-round.ts'

/** A whole round at once. */
export async function auditAll(deps: AuditDeps): Promise<void> {
  const round = auditRound(deps)
  while ((await round.next()).done !== true);
}
