import type { AccountId } from '../../../../ledger/chart.ts'
import type { Leg } from '../../../../ledger/post.ts'

/** Legs that turn what was posted into what should have been posted: each account changes by the difference, in one direction. */
export function netLegs(posted: readonly Leg[], right: readonly Leg[]): Leg[] {
  const changes = new Map<AccountId, bigint>()
  const change = (account: AccountId, amount: bigint) => changes.set(account, (changes.get(account) ?? 0n) + amount)
  for (const [legs, sign] of [
    [posted, -1n],
    [right, 1n],
  ] as const) {
    for (const { debit, credit, amount } of legs) {
      change(debit, -sign * amount)
      change(credit, sign * amount)
    }
  }
  const legs: Leg[] = []
  // An asset's accounts sum to zero, so that those that fall pay those that rise.
  const rising = [...changes].filter(([, amount]) => amount > 0n)
  for (const [debit, fall] of changes) {
    for (let left = -fall; left > 0n;) {
      const to = rising.find(([account, amount]) => amount > 0n && account % 100n === debit % 100n)
      if (to === undefined) throw new RangeError('legs do not balance')
      const amount = to[1] < left ? to[1] : left
      legs.push({ debit, credit: to[0], amount })
      to[1] -= amount
      left -= amount
    }
  }
  return legs
}
