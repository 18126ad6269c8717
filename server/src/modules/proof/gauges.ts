import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { gauge, type GaugeSource } from '../../kernel/gauge.ts'
import { countNotices, readIsForeign } from './attest/watch-contract.ts'
import { readAttestationAge } from './read-attested.ts'

/** Whether what is owed is attested each day, for Prometheus. */
export const proofGauges = (db: Database, clock: Clock): GaugeSource[] => [
  gauge(
    'attestation_age_seconds',
    'Since what is owed was last attested on chain; nothing before the first attestation.',
    async () => {
      const age_ms = await readAttestationAge(db, clock.now())
      return age_ms === null ? Number.NaN : age_ms / 1000
    },
  ),
  gauge('attestation_foreign', '1 while the last attestation on chain is not one of ours.', async () => {
    const isForeign = await readIsForeign(db)
    return isForeign === null ? Number.NaN : Number(isForeign)
  }),
  gauge('contract_notices', "Announcements of the contract's owner that can still be carried out.", () =>
    countNotices(db),
  ),
]
