import { type AccountId, isFloored } from '../chart.ts'
import type { Posting, PostOutcome } from '../post.ts'

/** The ledger as a few lines of TypeScript, to compare the real one with. Knows nothing of SQL. */
export class LedgerModel {
  readonly balances = new Map<AccountId, bigint>()
  readonly entries = new Map<AccountId, number>()
  readonly #known = new Map<string, string>()

  post(posting: Posting): PostOutcome {
    const content = contentOf(posting)
    const before = this.#known.get(posting.id)
    if (before !== undefined) return { outcome: before === content ? 'already' : 'conflict' }
    const trial = new Map(this.balances)
    for (const { debit, credit, amount } of posting.legs) {
      const left = (trial.get(debit) ?? 0n) - amount
      if (left < 0n && isFloored(debit)) return { outcome: 'overdrawn', account: debit }
      trial.set(debit, left)
      trial.set(credit, (trial.get(credit) ?? 0n) + amount)
    }
    for (const [account, balance] of trial) this.balances.set(account, balance)
    for (const account of posting.legs.flatMap(({ debit, credit }) => [debit, credit])) {
      this.entries.set(account, (this.entries.get(account) ?? 0) + 1)
    }
    this.#known.set(posting.id, content)
    return { outcome: 'posted' }
  }
}

function contentOf({ kind, legs, memo }: Posting): string {
  const sortedMemo = Object.entries(memo).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([kind, legs.map((leg) => [leg.debit, leg.credit, leg.amount].map(String)), sortedMemo])
}
