import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { Database } from '../db/open.ts'
import type { Clock } from '../kernel/clock.ts'
import { ageInSeconds, gauge, type GaugeSource, inUnits } from '../kernel/gauge.ts'
import { lastAuditAt } from './audit/audit-round.ts'
import { countOpenFindings } from './audit/findings.ts'
import { accountBalance } from './balances.ts'
import { platformAccount } from './chart.ts'
import { partitionsAhead } from './upkeep/partitions.ts'

/** Money without an owner, and whether the books hold, for Prometheus. */
export function ledgerGauges(db: Database, clock: Clock): GaugeSource[] {
  const suspense = (asset: AssetCode) =>
    gauge(`suspense_${asset.toLowerCase()}`, `${asset} whose owner nobody knows, in whole units.`, async () =>
      inUnits(await accountBalance(db, platformAccount('suspense', asset))),
    )
  return [
    ...assetCodes.map(suspense),
    gauge('ledger_partitions_ahead', 'Partitions of the ledger that wait behind the one that is written.', () =>
      partitionsAhead(db),
    ),
    gauge('ledger_audit_findings', 'What the audit of the ledger found and nobody has mended or accepted.', () =>
      countOpenFindings(db),
    ),
    gauge('ledger_audit_age_seconds', 'Since the last whole audit of the ledger.', async () =>
      ageInSeconds((await lastAuditAt(db)) ?? null, clock.now()),
    ),
  ]
}
