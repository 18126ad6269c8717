import type { GaugeSource } from '../../api/metrics.ts'
import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { countNotices, readIsForeign } from '../../modules/proof/attest/watch-contract.ts'
import { readAttestationAge } from '../../modules/proof/read-attested.ts'

/** Whether what is owed is attested each day, for Prometheus. */
export const proofGauges = (db: Database, clock: Clock): GaugeSource[] => [
  {
    name: 'candela_attestation_age_seconds',
    help: 'Since what is owed was last attested on chain; nothing before the first attestation.',
    async read() {
      const age_ms = await readAttestationAge(db, clock.now())
      return age_ms === null ? Number.NaN : age_ms / 1000
    },
  },
  {
    name: 'candela_attestation_foreign',
    help: '1 while the last attestation on chain is not one of ours.',
    async read() {
      const isForeign = await readIsForeign(db)
      return isForeign === null ? Number.NaN : Number(isForeign)
    },
  },
  {
    name: 'candela_contract_notices',
    help: "Announcements of the contract's owner that can still be carried out.",
    read: () => countNotices(db),
  },
]
