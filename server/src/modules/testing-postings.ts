import { assetCodes } from '@candela/protocol/money/assets'
import * as fc from 'fast-check'
import { type AccountId, accountParts } from '../ledger/chart.ts'
import type { Leg } from '../ledger/post.ts'

/** An account as tests name it: "member 7 memberAvailable JU", "fees JU". */
export function accountText(account: AccountId): string {
  const { memberId, name, asset } = accountParts(account)
  return memberId === undefined ? `${name} ${asset}` : `member ${memberId} ${name} ${asset}`
}

/** Debit, credit and amount of each leg, in order. */
export const legTexts = (legs: readonly Leg[]) =>
  legs.map(({ debit, credit, amount }) => [accountText(debit), accountText(credit), amount])

/** The time that a posting's id begins with, to the second. */
export const timeOfPosting = ({ id }: { id: string }): Date => new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000)

/** By how much the legs change each account, in base units: what is credited less what is debited. */
export function changesOf(legs: readonly Leg[]): Record<string, bigint> {
  const changes: Record<string, bigint> = {}
  const add = (account: AccountId, amount: bigint): void => {
    const name = accountText(account)
    changes[name] = (changes[name] ?? 0n) + amount
  }
  for (const { debit, credit, amount } of legs) {
    add(debit, -amount)
    add(credit, amount)
  }
  return changes
}

export const anyAsset = fc.constantFrom(...assetCodes)
/** Base units, at least one. */
export const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 30n })
