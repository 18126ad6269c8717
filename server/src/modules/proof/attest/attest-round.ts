import { utcDay } from '@candela/protocol/calendar'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import { type Followed, readFollowedBlocks } from '../../../chain/payer/followed.ts'
import { readSettings } from '../../../db/settings.ts'
import { readAttestationAge } from '../read-attested.ts'
import { SumsDiffer } from '../snapshot/read-members.ts'
import { takeSnapshot } from '../snapshot/take-snapshot.ts'
import type { AttestDeps } from './attest-deps.ts'
import { followSigned } from './follow-signed.ts'
import { signAttestation } from './sign-attestation.ts'

/** A day's figures are closed by then: this long after the close of the day before begins. */
const AFTER_CLOSE_MS = 20 * MINUTE_MS
/** An attestation waits for no close that is set later than this: each day has its attestation, whatever is set. */
const LATEST_CLOSE_MINUTES = 1_200
/** Members are told to look, and an operator has to act, when the last attestation is older. */
const OVERDUE_MS = 36 * HOUR_MS

/**
 * One round of attesting: follows what is signed until it is final, then takes the snapshot of the day when it is due and signs its
 * attestation. After a kill at any instant every step is found again in the database.
 * @throws RpcError
 */
export function attestRounds(deps: AttestDeps): () => Promise<boolean> {
  const state = { alarmedAt: 0, refusal: '' }
  return async () => {
    await alarm(deps, state)
    const followed = await readFollowedBlocks(deps.db, deps.confirmations)
    if (followed === null) return false
    const isUnderWay = await followSigned(deps, followed)
    if (isUnderWay) return false
    const day = utcDay(deps.clock.now())
    if (!(await isDue(deps, day))) return false
    await attestDay(deps, followed, day, state)
    return false
  }
}

async function attestDay(deps: AttestDeps, followed: Followed, day: string, state: { refusal: string }): Promise<void> {
  try {
    const taken = await takeSnapshot(deps.snapshot, day)
    if (taken) deps.log.info({ event: 'proof.snapshot-taken', chain: CHAIN_ID, day }, 'what is owed was put together')
    const refusal = await signAttestation(deps, followed, day)
    if (refusal !== null && refusal !== state.refusal) {
      deps.log.warn({ event: 'proof.waits', chain: CHAIN_ID, day, reason: refusal }, 'an attestation waits')
    }
    state.refusal = refusal ?? ''
  } catch (error) {
    if (!(error instanceof SumsDiffer)) throw error
    if (error.message !== state.refusal) {
      const facts = { event: 'proof.sums-differ', chain: CHAIN_ID, day, reason: error.message } as const
      deps.log.error(facts, 'what is owed to members is not what the ledger says; nothing is attested')
    }
    state.refusal = error.message
  }
}

/** From some minutes after the close on, or as soon as an operator asks; once a day, also when it has failed. */
async function isDue({ db, clock }: AttestDeps, day: string): Promise<boolean> {
  const known = await db.selectFrom('attestation').select('day').where('day', '=', day).executeTakeFirst()
  if (known !== undefined) return false
  const { closeMinutes } = await readSettings(db)
  const waits_ms = Math.min(closeMinutes, LATEST_CLOSE_MINUTES) * MINUTE_MS + AFTER_CLOSE_MS
  if (utcDay(new Date(clock.now().getTime() - waits_ms)) === day) return true
  const asked = await db.selectFrom('attestation_request').select('day').where('day', '=', day).executeTakeFirst()
  return asked !== undefined
}

/** Said each hour, because after 30 days members can begin exit mode. */
async function alarm({ db, clock, log }: AttestDeps, state: { alarmedAt: number }): Promise<void> {
  const now = clock.now()
  if (now.getTime() - state.alarmedAt < HOUR_MS) return
  const age_ms = await readAttestationAge(db, now)
  if (age_ms === null || age_ms < OVERDUE_MS) return
  state.alarmedAt = now.getTime()
  log.error(
    { event: 'proof.overdue', chain: CHAIN_ID, hours: Math.floor(age_ms / HOUR_MS) },
    'nothing was attested for too long: after 30 days anyone can put the contract into exit mode, for good',
  )
}
