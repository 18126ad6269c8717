import { utcDay } from '../../kernel/calendar.ts'
import { assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { NoticeContent } from '@candela/protocol/notices'
import type { Notice } from '../../db/notify.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { type AccountId, accountParts, memberAccount } from '../../ledger/chart.ts'
import { entriesAfter, movedSince, type PlacedLine } from '../../ledger/entries-after.ts'
import { notify } from './notify.ts'

const BATCH = 500

/**
 * Makes notices of what the ledger has told this member since it last looked. The entries themselves are the record
 * that is written once, with the money; this only brings them into the list. Any number at once make each of them once.
 */
export async function collectNotices(db: Database, memberId: bigint): Promise<void> {
  const accounts = assetCodes.map((asset) => memberAccount(memberId, 'memberAvailable', asset))
  const found = await db.selectFrom('notice_gathered').selectAll().where('account', 'in', accounts).execute()
  const marks = new Map(found.map(({ account, posting }) => [account, posting]))
  // Most looks find nothing new, and stop here.
  const moved = await movedSince(
    db,
    accounts.map((account) => ({ account, posting: marks.get(account) ?? 0n })),
  )
  for (const account of moved) while (await transaction(db, (tx) => collectBatch(tx, memberId, account)));
}

/** Returns true when there may be more. */
async function collectBatch(tx: Tx, memberId: bigint, account: AccountId): Promise<boolean> {
  const mark = await tx
    .selectFrom('notice_gathered')
    .select('posting')
    .where('account', '=', account)
    .executeTakeFirst()
  const lines = await entriesAfter(tx, account, mark?.posting ?? 0n, BATCH)
  const last = lines.at(-1)
  if (last === undefined) return false
  await notify(tx, ...lines.flatMap((line) => noticeOf(line, memberId) ?? []))
  await tx
    .insertInto('notice_gathered')
    .values({ account, posting: last.posting })
    .onConflict((conflict) =>
      conflict
        .column('account')
        .doUpdateSet({ posting: last.posting })
        // Another that looks at the same time may have come further.
        .where('notice_gathered.posting', '<', last.posting),
    )
    .execute()
  return lines.length === BATCH
}

function noticeOf(line: PlacedLine, memberId: bigint): Notice | null {
  // What a member sends or pays is no news to that member.
  if (line.amount <= 0n) return null
  const content = contentOf(line)
  return content === null ? null : { ...content, memberId, source: line.postingId, at: line.occurredAt }
}

function contentOf({ account, amount, occurredAt, kind, memo }: PlacedLine): NoticeContent | null {
  const { asset } = accountParts(account)
  const money = { asset, amount: fromBaseUnits(amount) }
  switch (kind) {
    case 'deposit':
    case 'unmatched':
      return { kind, params: { ...money, txHash: memo?.txHash ?? '' } }
    // Money that waited for its owner is theirs now.
    case 'assigned':
      return { kind: 'deposit', params: { ...money, txHash: memo?.txHash ?? '' } }
    case 'transfer': {
      const { transferNo = '', fromUid = '' } = memo ?? {}
      return { kind: 'transferReceived', params: { ...money, transferNo, fromUid } }
    }
    case 'income':
      return { kind, params: { ...money, day: memo?.day ?? utcDay(occurredAt) } }
    case 'referral':
      return { kind, params: money }
    // What a member does itself, or is told of elsewhere, is no notice.
    case 'exchange':
    case 'withdrawal':
    case 'withdrawal-hold':
    case 'withdrawal-release':
    case 'withdrawal-reverted':
    case 'purchase':
    case 'revenue':
    case 'suspense':
    case 'desk-stock':
    case 'service-fee':
    case 'reconciliation':
      break
  }
  return null
}
