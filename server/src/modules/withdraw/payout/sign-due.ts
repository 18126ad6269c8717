import { CHAIN_ID } from '@candela/protocol/chain/network'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { GWEI } from '../../../chain/payer/offer.ts'
import type { Followed } from '../../../chain/payer/followed.ts'
import { type ChainNonces, readNonces } from '../../../chain/payout/read-nonces.ts'
import { anyOf } from '../../../db/any-of.ts'
import { type Database, transaction } from '../../../db/open.ts'
import { readSettings } from '../../../db/settings.ts'
import { readPauseReason } from '../../reconcile/pause.ts'
import { leftOfFresh, readFreshUse, shareOf } from '../wait/old-money.ts'
import { MAX_IN_FLIGHT, readInFlight } from './in-flight.ts'
import { chooseDue, type Due, readDue, readLateTakenBack, type Rooms } from './next-due.ts'
import { type PayoutDeps } from './payout-deps.ts'
import { type RoundFacts, signPayout, simulate, withMargin } from './sign-payout.ts'

/**
 * Signs the queued withdrawals that are due, as many as may be under way. What keeps all of them or all of an asset from being
 * signed is found out once for the round and kept for the asset, not for a withdrawal: so who has waited longest is the
 * first that is tried again. Nothing is sent here. Returns true when withdrawals have left the queue unsigned, which makes room for others.
 * @throws RpcError; then what was signed before stays
 */
export async function signDue(deps: PayoutDeps, followed: Followed): Promise<boolean> {
  const { db, chain, clock } = deps
  if (!(await isAnyQueued(db))) return false
  const pauseReason = await readPauseReason(db, clock.now())
  if (pauseReason !== null) return pauseAll(deps, pauseReason)
  const gasPrice = withMargin(await chain.gasPrice())
  const { payoutGasPriceGwei } = await readSettings(db)
  if (gasPrice > BigInt(payoutGasPriceGwei) * GWEI) return pauseAll(deps, `gas costs ${gasPrice} base units now`)
  const nonces = await readPayerNonces(deps, followed)
  const { rooms, free, shares } = await readRooms(deps, followed, nonces)
  const facts = { gasPrice, ...nonces, shares }
  const due = await readDue(db, rooms, clock.now())
  const chosen = chooseDue(due, rooms, { count: free, last: await lastAsset(deps), now: clock.now() })
  const { ended, paused } = await signChosen(deps, followed, chosen, facts)
  await keepRound(deps, paused, rooms)
  return ended
}

async function readPayerNonces({ db, chain, agree, signer }: PayoutDeps, followed: Followed): Promise<ChainNonces> {
  const { address } = signer
  const known = await db.selectFrom('payer').select('next_nonce').where('address', '=', address).executeTakeFirst()
  return readNonces({ chain, agree }, { address, ours: known?.next_nonce ?? 0n }, followed)
}

async function isAnyQueued(db: Database): Promise<boolean> {
  const queued = db.selectFrom('withdrawal').select('id').where('state', '=', 'queued').limit(1)
  return (await queued.executeTakeFirst()) !== undefined
}

/** Reads what may be signed of each asset, and how many payouts in all. */
async function readRooms(
  { db, chain, signer, clock }: PayoutDeps,
  { tip }: Followed,
  { nonceNow }: ChainNonces,
): Promise<{ rooms: Rooms; free: number; shares: RoundFacts['shares'] }> {
  const [caps, held] = [await chain.caps(tip), await chain.holdings(tip)]
  const inFlight = await readInFlight(db, signer.address, { block: tip.number, nonceNow })
  const { freshCapPercent } = await readSettings(db)
  const halfKept = await readLateTakenBack(db, clock.now())
  const share = (asset: AssetCode) => shareOf(caps[asset].cap, freshCapPercent)
  const roomOf = async (asset: AssetCode) => ({
    cap: caps[asset].cap,
    leftOfCap: without(caps[asset].left, inFlight.amounts[asset]),
    leftOfHeld: without(held[asset], inFlight.amounts[asset]),
    leftOfFresh: leftOfFresh(share(asset), await readFreshUse(db, asset), clock.now()),
    isHalfKept: halfKept.has(asset),
  })
  return {
    rooms: { JU: await roomOf('JU'), USDT: await roomOf('USDT'), HASH: await roomOf('HASH') },
    shares: { JU: share('JU'), USDT: share('USDT'), HASH: share('HASH') },
    free: Math.max(0, MAX_IN_FLIGHT - inFlight.count),
  }
}

const without = (amount: bigint, underWay: bigint): bigint => (amount > underWay ? amount - underWay : 0n)

/** The asset of the payout that was signed last. */
async function lastAsset({ db, signer }: PayoutDeps): Promise<AssetCode | null> {
  const signed = db.selectFrom('withdrawal').select('asset').where('payer', '=', signer.address)
  return (await signed.orderBy('nonce', 'desc').limit(1).executeTakeFirst())?.asset ?? null
}

/** Why nothing of an asset is signed. */
type Paused = Map<AssetCode, string>

/** Simulates all of them at once, and signs one after the other, until one shows why no other can be signed. */
async function signChosen(
  deps: PayoutDeps,
  followed: Followed,
  chosen: readonly Due[],
  facts: RoundFacts,
): Promise<{ ended: boolean; paused: Paused }> {
  const ids = chosen.map(({ id }) => id)
  const found = await deps.db.selectFrom('withdrawal').selectAll().where('id', '=', anyOf(ids)).execute()
  const rows = ids.flatMap((id) => found.find((row) => row.id === id) ?? [])
  const trials = await Promise.all(rows.map((row) => simulate(deps, followed, row, facts.gasPrice)))
  const skipped = new Set<AssetCode>()
  let ended = false
  for (const [place, row] of rows.entries()) {
    const trial = trials[place]
    if (trial === undefined || skipped.has(row.asset)) continue
    const decision = await signPayout(deps, followed, row, { ...facts, trial })
    if (decision?.kind === 'wait' && decision.what === 'all') {
      return { ended, paused: new Map(assetCodes.map((asset) => [asset, decision.failure])) }
    }
    if (decision?.kind === 'wait' && decision.what === 'asset') skipped.add(row.asset)
    ended ||= decision?.kind === 'review' || decision?.kind === 'fail'
  }
  return { ended, paused: new Map() }
}

const noRoom = { cap: 0n, leftOfCap: 0n, leftOfHeld: 0n, leftOfFresh: 0n, isHalfKept: false }

async function pauseAll(deps: PayoutDeps, failure: string): Promise<false> {
  const paused = new Map(assetCodes.map((asset) => [asset, failure]))
  await keepRound(deps, paused, { JU: noRoom, USDT: noRoom, HASH: noRoom })
  return false
}

/** Keeps what the round has left of each asset, and logs what has begun or ended to keep an asset from being paid. */
async function keepRound({ db, clock, log }: PayoutDeps, paused: Paused, rooms: Rooms): Promise<void> {
  const at = clock.now()
  const rows = assetCodes.map((asset) => ({
    asset,
    paused: paused.get(asset) ?? null,
    left_of_cap: rooms[asset].leftOfCap,
    left_of_held: rooms[asset].leftOfHeld,
    left_of_fresh: rooms[asset].leftOfFresh,
    at,
  }))
  const before = await transaction(db, async (tx) => {
    const kept = await tx.selectFrom('payout_round').select(['asset', 'paused']).forUpdate().execute()
    await tx
      .insertInto('payout_round')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('asset').doUpdateSet((excluded) => ({
          paused: excluded.ref('excluded.paused'),
          left_of_cap: excluded.ref('excluded.left_of_cap'),
          left_of_held: excluded.ref('excluded.left_of_held'),
          left_of_fresh: excluded.ref('excluded.left_of_fresh'),
          at: excluded.ref('excluded.at'),
        })),
      )
      .execute()
    return new Map(kept.map((row) => [row.asset, row.paused]))
  })
  for (const { asset, paused: reason } of rows) {
    const earlier = before.get(asset) ?? null
    const facts = { chain: CHAIN_ID, asset }
    if (reason === null) {
      if (earlier !== null) log.info({ event: 'payout.asset-resumed', ...facts }, 'an asset is paid out again')
    } else if (withoutFigures(reason) !== withoutFigures(earlier ?? '')) {
      log.warn({ event: 'payout.asset-waits', ...facts, reason }, 'no withdrawal of an asset can be signed now')
    }
  }
}

/** Figures change with each block, and each is not worth a line of the log. */
const withoutFigures = (reason: string): string => reason.replaceAll(/[0-9]+/g, '')
