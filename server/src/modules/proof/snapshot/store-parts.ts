import type { Position } from '@candela/protocol/proof/owed'
import { columnsOf, rowsOf } from '../../../db/any-of.ts'
import type { Tx } from '../../../db/open.ts'

/** The parts of a member that are kept: its balances and fund shares are in the ledger for ever. */
export type MemberParts = { memberId: bigint } & Pick<Position, 'collateral' | 'debt' | 'paidLater'>

/** Rows a statement. */
const BATCH = 1_000

/** Collects the parts of those members who have any: the others cost nothing. */
export function collectParts() {
  const parts: MemberParts[] = []
  return {
    parts,
    add(memberId: bigint, { collateral, debt, paidLater }: Position): void {
      const amounts = [debt, collateral.JU, collateral.HASH, paidLater.USDT, paidLater.HASH, paidLater.JU]
      if (amounts.some((amount) => amount !== 0n)) parts.push({ memberId, collateral, debt, paidLater })
    },
  }
}

export async function storeParts(tx: Tx, day: string, parts: readonly MemberParts[]): Promise<void> {
  for (let first = 0; first < parts.length; first += BATCH) {
    const rows = parts.slice(first, first + BATCH).map(({ memberId, collateral, debt, paidLater }) => ({
      day,
      member_id: memberId,
      debt,
      collateral_ju: collateral.JU,
      collateral_hash: collateral.HASH,
      paid_usdt: paidLater.USDT,
      paid_hash: paidLater.HASH,
      paid_ju: paidLater.JU,
    }))
    await tx.insertInto('proof_part').columns(columnsOf(rows)).expression(rowsOf('proof_part', rows)).execute()
  }
}
