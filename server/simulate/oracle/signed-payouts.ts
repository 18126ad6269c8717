import type { Hex } from 'viem'
import { type Simulation, violation } from '../run/simulation.ts'

/** The withdrawals that were signed so far, and the block as of which a payment is simulated. */
export type Signed = { followedHash: string | null; withdrawals: ReadonlySet<bigint> }

/** Signed payments that one member may have under way. */
const MAX_IN_FLIGHT_PER_MEMBER = 2

export async function readSigned({ db }: Simulation): Promise<Signed> {
  const { followed_hash } = await db.selectFrom('chain_cursor').select('followed_hash').executeTakeFirstOrThrow()
  const rows = await db.selectFrom('withdrawal').select('id').where('nonce', 'is not', null).execute()
  return { followedHash: followed_hash, withdrawals: new Set(rows.map(({ id }) => id)) }
}

/**
 * Nothing may be signed for a wallet that refuses it as of the block that was followed, nor more than two payments of one
 * member that were never in a block of any branch.
 */
export async function checkSigned(simulation: Simulation, before: Signed): Promise<void> {
  const { db, chain } = simulation
  const after = await readSigned(simulation)
  const isNew = (id: bigint) => !before.withdrawals.has(id)
  const rows = await db
    .selectFrom('withdrawal')
    .select(['id', 'member_id', 'withdrawal_no', 'payout_id', 'asset', 'to_address'])
    .where('state', '=', 'sending')
    .execute()
  const paid = new Set(
    [...chain.blocks.values()].flatMap(({ receipts }) => receipts.map(({ moneyOut }) => moneyOut?.id)),
  )
  const underWay = rows.filter(({ payout_id }) => !paid.has(payout_id as Hex))
  for (const { id, member_id, withdrawal_no, asset, to_address } of underWay.filter((row) => isNew(row.id))) {
    const inFlight = underWay.filter((other) => other.member_id === member_id).length
    if (inFlight > MAX_IN_FLIGHT_PER_MEMBER)
      throw violation(simulation, `${inFlight} payments of member ${member_id} are under way`)
    // The follower has moved meanwhile: the payment was simulated as of one of two blocks.
    if (before.followedHash === null || before.followedHash !== after.followedHash) continue
    const wallet = chain.blocks.get(before.followedHash)?.state.walletOf(to_address)
    const refuses = wallet === 'refuses' || (wallet === 'refusesPriced' && asset === 'JU')
    if (refuses) throw violation(simulation, `${withdrawal_no} (${id}) was signed for a wallet that refuses it`)
  }
}
