import { transaction } from '@candela/server/db/open'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { postNew, type Posting } from '@candela/server/ledger/post'
import { addMember, addressOf } from '@candela/server/modules/power/testing'
import { testMemo } from '../../../src/ledger/testing/testing-memo.ts'
import { type Scenario, WHOLE } from '../lending-scenario.ts'

const BATCH = 500

/** Adds members who have so many whole units of each asset. */
export async function addPeople(lending: Scenario, count: number, whole: bigint): Promise<bigint[]> {
  const { db, ids, clock } = lending
  const people: bigint[] = []
  for (let nth = 0; nth < count; nth += 1) {
    people.push(await addMember(db, addressOf(1_000_000 + Number(whole % 1_000n) * 100_000 + nth)))
  }
  const postings = people.map((id): Posting => ({
    id: ids.uuid(),
    kind: 'deposit',
    legs: (['JU', 'USDT', 'HASH'] as const).map((asset) => ({
      debit: platformAccount('custody', asset),
      credit: memberAccount(id, 'memberAvailable', asset),
      amount: whole * WHOLE,
    })),
    memo: testMemo(),
    occurredAt: clock.now(),
  }))
  for (let from = 0; from < postings.length; from += BATCH) {
    await transaction(db, (tx) => postNew(tx, postings.slice(from, from + BATCH)))
  }
  return people
}
