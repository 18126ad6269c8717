// oxlint-disable-next-line import/no-unassigned-import -- it runs, and exports nothing
import '../lib/plain-schemas.ts'
import type { AssetCode } from '@candela/protocol/money/assets'
import { owedPieces } from '@candela/protocol/proof/owed'
import { type OwedParts, positionOf, valuationOf } from '@candela/protocol/proof/owed-parts'

/** A part of what is owed of an asset, in base units; what a debt takes is negative. */
export type OwedLine = {
  what: 'available' | 'held' | 'shares' | 'collateral' | 'debt' | 'paidLater'
  amount: bigint
}

/**
 * The lines that the amounts of a leaf are made of: those of an asset, without the ones that are zero, add up to what is owed of it.
 */
export function owedLines(parts: OwedParts): Record<AssetCode, OwedLine[]> {
  const position = positionOf(parts)
  const { fund, taken } = owedPieces(position, valuationOf(parts))
  const linesOf = (asset: AssetCode): OwedLine[] => {
    const lines: OwedLine[] = [
      { what: 'available', amount: BigInt(parts.available[asset]) },
      { what: 'held', amount: BigInt(parts.held[asset]) },
      { what: 'shares', amount: fund[asset] },
      { what: 'collateral', amount: asset === 'USDT' ? 0n : position.collateral[asset] },
      { what: 'debt', amount: -taken[asset] },
      { what: 'paidLater', amount: BigInt(parts.paidLater[asset]) },
    ]
    return lines.filter(({ amount }) => amount !== 0n)
  }
  return { USDT: linesOf('USDT'), HASH: linesOf('HASH'), JU: linesOf('JU') }
}
