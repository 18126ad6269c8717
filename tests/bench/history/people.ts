/** The people who make the calls that write: each makes each of them once, so that no limit of a day is reached. */
import type { AssetCode } from '@candela/protocol/money/assets'
import { assetCodes } from '@candela/protocol/money/assets'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { type Database, transaction } from '@candela/server/db/open'
import type { IdSource } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { postBatch } from '@candela/server/ledger/post'
import { testMemo } from '@candela/server/ledger/testing/testing-memo'
import { addMembers, type Member } from '../support/people.ts'

/** With a million of each asset; the desk has enough to buy and to sell. */
export async function addPeople(db: Database, ids: IdSource, count: number, now: Date): Promise<Member[]> {
  const people = await addMembers(db, count)
  const accounts = people.flatMap(({ memberId }) =>
    assetCodes.map((asset) => ({
      asset,
      credit: memberAccount(memberId, 'memberAvailable', asset),
      amount: 10n ** 6n,
    })),
  )
  const desk = assetCodes.map((asset) => ({
    asset,
    credit: platformAccount('deskInventory', asset),
    amount: 10n ** 12n,
  }))
  await transaction(db, (tx) =>
    postBatch(
      tx,
      [...accounts, ...desk].map(({ asset, credit, amount }) => ({
        id: ids.uuid(),
        kind: 'deposit' as const,
        legs: [{ debit: custodyOf(asset), credit, amount: amount * WHOLE_UNIT }],
        memo: testMemo(),
        occurredAt: now,
      })),
    ),
  )
  return people
}

const custodyOf = (asset: AssetCode) => platformAccount('custody', asset)
