import type { AssetCode } from '@candela/protocol/money/assets'
import type { ConfirmedPayment } from '../../chain/crediting/credit-payments.ts'

/** A deposit that was announced and that nothing has fulfilled yet. Amount in base units. */
export type Announcement = { id: bigint; memberId: bigint; owner: string; asset: AssetCode; amount: bigint }

/** A payment on its way to a member's balance. */
export type Receipt = {
  payment: Pick<ConfirmedPayment, 'action' | 'reference' | 'asset' | 'amount' | 'payer'>
  memberId: bigint
}

/**
 * Finds the announcement that each payment fulfils, by its id; null for none. The first payment that fits fulfils it, in the order
 * given. It decides only what is shown: the money is credited either way.
 */
export function matchAnnouncements(
  receipts: readonly Receipt[],
  announcements: ReadonlyMap<string, Announcement>,
): (bigint | null)[] {
  const open = new Map(announcements)
  return receipts.map((receipt) => {
    const { reference } = receipt.payment
    const announced = open.get(reference)
    if (announced === undefined || !fulfils(receipt, announced)) return null
    open.delete(reference)
    return announced.id
  })
}

/**
 * The owner may have changed amount or asset in the wallet, and still means this deposit. Anybody else must pay exactly
 * what was announced: a number is public once it was used on chain, and a tiny payment of a stranger must not count as
 * the deposit.
 */
function fulfils({ payment, memberId }: Receipt, { owner, asset, amount, ...announced }: Announcement): boolean {
  if (payment.action !== 'deposit' || memberId !== announced.memberId) return false
  return payment.payer === owner || (payment.asset === asset && payment.amount === amount)
}
