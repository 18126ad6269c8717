import type { AssetCode } from '@candela/protocol/money/assets'
import type { ConfirmedPayment } from '../../chain/crediting/credit-payments.ts'
import { lockOrphaned, markTakenBack } from '../../chain/crediting/settle-by-hand.ts'
import type { Tx } from '../../db/open.ts'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { uuidFromName } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import { type Leg, post } from '../../ledger/post.ts'

/** Base units. */
export type TakeBack = { eventId: bigint; fromMember: bigint; fromPlatform: bigint; note: string }

/**
 * unknown: no credited payment with this id has left the chain, or it was taken back before. otherSum: the two parts are not what was
 * credited. noMember: nobody was credited from whom anything could be taken.
 */
export type NotTakenBack = 'unknown' | 'otherSum' | 'noMember'

export type TakenBack = { asset: AssetCode; amount: bigint; txHash: string; uid: bigint | null }

/**
 * Takes a payment out of the books that was credited and has left the chain for good: from its member and from the platform, as two
 * operators say. What is still in suspense is taken from there. The payment is credited anew if it comes again.
 * @throws AppError 4201 when the member has less
 */
export async function takeBack(
  tx: Tx,
  { eventId, fromMember, fromPlatform, note }: TakeBack,
  now: Date,
): Promise<TakenBack | NotTakenBack> {
  const payment = await lockOrphaned(tx, eventId)
  if (payment === undefined) return 'unknown'
  const { asset, amount, txHash } = payment
  if (fromMember + fromPlatform !== amount) return 'otherSum'
  const member = fromMember === 0n ? undefined : await findCredited(tx, payment)
  if (fromMember > 0n && member === undefined) return 'noMember'
  const custody = platformAccount('custody', asset)
  const legs: Leg[] = []
  if (member !== undefined)
    legs.push({ debit: memberAccount(member.id, 'memberAvailable', asset), credit: custody, amount: fromMember })
  if (fromPlatform > 0n) {
    const bearer = (await isInSuspense(tx, payment)) ? 'suspense' : 'equity'
    legs.push({ debit: platformAccount(bearer, asset), credit: custody, amount: fromPlatform })
  }
  if (legs.length > 0) {
    const name = `taken-back:${CHAIN_ID}:${txHash}:${payment.txPosition}:${payment.takenBack ?? 0}`
    await post(tx, { id: uuidFromName(name), kind: 'taken-back', legs, memo: { txHash, note }, occurredAt: now })
  }
  await markTakenBack(tx, eventId)
  return { asset, amount, txHash, uid: member?.uid ?? null }
}

/** Finds the member whose balance it went to; for a payment of an order or a loan, the member who paid. */
const findCredited = (tx: Tx, { eventId, payer }: ConfirmedPayment) =>
  tx
    .selectFrom('member as m')
    .leftJoin('deposit_receipt as r', (join) =>
      join.onRef('r.member_id', '=', 'm.id').on('r.chain_event_id', '=', eventId),
    )
    .select(['m.id', 'm.uid'])
    .where((eb) => eb.or([eb('r.chain_event_id', 'is not', null), eb('m.address', '=', payer)]))
    .orderBy('r.chain_event_id', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst()

async function isInSuspense(tx: Tx, { eventId, txHash, txPosition }: ConfirmedPayment): Promise<boolean> {
  const payment = await tx.selectFrom('chain_payment').select('outcome').where('id', '=', eventId).executeTakeFirst()
  if (payment?.outcome !== 'suspense') return false
  const given = await tx
    .selectFrom('suspense_assignment')
    .select('tx_hash')
    .where('tx_hash', '=', txHash)
    .where('tx_position', '=', txPosition)
    .executeTakeFirst()
  return given === undefined
}
