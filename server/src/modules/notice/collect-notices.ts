import { utcDay } from '@candela/protocol/calendar'
import { assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import type { NoticeContent } from '@candela/protocol/notices'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import { anyOf } from '../../db/any-of.ts'
import type { Notice } from './notify.ts'
import { must } from '../../kernel/assert.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { accountAsset, accountParts, memberAccount } from '../../ledger/chart.ts'
import { entriesAfter, newestAfter, type PlacedLine } from '../../ledger/statement/entries-after.ts'
import { insertNotices } from './notify.ts'

/** How many entries of an account one call takes: the newest of a usual page, so that the call is quick after any number. */
const CALL_ENTRIES = DEFAULT_PAGE_LIMIT
/** How many entries the worker takes in one transaction. */
const BATCH = 500

const gains = ['deposit', 'unmatched', 'assigned', 'transfer', 'income', 'referral'] as const satisfies PostingKind[]

/**
 * Makes notices from the ledger entries of a member since the last call. The entries are the record that is written
 * once, with the money; this only adds them to the list. Any number of calls at once make each notice once. Where there
 * are more entries than one call takes, the newest are made into notices now and `collectBacklog` takes the others.
 */
export async function collectNotices(db: Database, memberId: bigint): Promise<void> {
  const accounts = assetCodes.map((asset) => memberAccount(memberId, 'memberAvailable', asset))
  const found = await db.selectFrom('notice_gathered').selectAll().where('account', '=', anyOf(accounts)).execute()
  const marks = new Map(found.map(({ account, posting, newest }) => [account, newest > posting ? newest : posting]))
  const newest = await newestAfter(
    db,
    accounts.map((account) => ({ account, posting: marks.get(account) ?? 0n })),
    { kinds: gains, limit: CALL_ENTRIES + 1 },
  )
  // Most calls find nothing new, and write nothing.
  if (newest.length > 0) await transaction(db, (tx) => addNewest(tx, memberId, newest))
}

async function addNewest(tx: Tx, memberId: bigint, newest: readonly PlacedLine[]): Promise<void> {
  const found = [...Map.groupBy(newest, (line) => line.account).values()]
  const notices = found.flatMap((lines) =>
    lines.slice(0, CALL_ENTRIES).flatMap((line) => noticeOf(line, memberId) ?? []),
  )
  await insertNotices(tx, notices)
  for (const lines of found) await mark(tx, lines)
}

/** Another call at the same time may have come further; and while entries are left for the worker, it alone moves the mark. */
async function mark(tx: Tx, lines: readonly PlacedLine[]): Promise<void> {
  const { account, posting: newest } = must(lines[0], 'an account has entries')
  const isAll = lines.length <= CALL_ENTRIES
  const lowest = must(lines.at(-1), 'an account has entries').posting
  await sql`
    insert into notice_gathered as known (account, posting, newest, is_partial)
    values (${account}, ${isAll ? newest : 0n}, ${newest}, ${!isAll})
    on conflict (account) do update set
      newest = greatest(known.newest, excluded.newest),
      posting = case when ${isAll} and not known.is_partial then greatest(known.posting, excluded.posting) else known.posting end,
      is_partial = known.is_partial or (not ${isAll} and known.posting < ${lowest})`.execute(tx)
}

/**
 * Makes the notices that calls have left, oldest first: a batch of one account in one transaction.
 * @returns true when there may be more
 */
export async function collectBacklog(tx: Tx): Promise<boolean> {
  const gathered = await tx
    .selectFrom('notice_gathered')
    .selectAll()
    .where('is_partial', '=', true)
    .orderBy('account')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (gathered === undefined) return false
  const { account, read_to, read_at } = gathered
  const lines = await entriesAfter(tx, { account, kinds: gains, posting: gathered.posting, limit: BATCH })
  const memberId = must(accountParts(account).memberId, 'notices are of members')
  const notices = lines.flatMap((line) => {
    const notice = noticeOf(line, memberId)
    return notice === null ? [] : [{ ...notice, readAt: line.posting <= (read_to ?? 0n) ? read_at : null }]
  })
  await insertNotices(tx, notices)
  const isDone = lines.length < BATCH
  await tx
    .updateTable('notice_gathered')
    .set({
      posting: lines.at(-1)?.posting ?? gathered.posting,
      ...(isDone ? { is_partial: false, read_to: null, read_at: null } : {}),
    })
    .where('account', '=', account)
    .execute()
  return true
}

/** Marks as read what is not gathered yet, up to now. */
export async function readBacklog(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  const marks = assetCodes.map((asset) => ({ account: memberAccount(memberId, 'memberAvailable', asset), posting: 0n }))
  for (const { account, posting } of await newestAfter(tx, marks, { kinds: gains, limit: 1 })) {
    await tx
      .updateTable('notice_gathered')
      .set({ read_to: posting, read_at: now })
      .where('account', '=', account)
      .where('is_partial', '=', true)
      .execute()
  }
}

function noticeOf(line: PlacedLine, memberId: bigint): Notice | null {
  // A member is not told of what it sends or pays itself.
  if (line.amount <= 0n) return null
  const content = contentOf(line)
  return content === null ? null : { ...content, memberId, source: line.postingId, at: line.occurredAt }
}

function contentOf({ account, amount, occurredAt, kind, memo }: PlacedLine): NoticeContent | null {
  const asset = accountAsset(account)
  const money = { asset, amount: fromBaseUnits(amount) }
  switch (kind) {
    case 'deposit':
      // The first of a day are told one by one; what a crowd of dust makes together is in the statement.
      return memo !== null && 'payments' in memo ? null : { kind, params: { ...money, txHash: memo?.txHash ?? '' } }
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
    // An act of the member itself, or one that it is told of elsewhere, is no notice.
    case 'exchange':
    case 'taken-back':
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
    case 'fund-in':
    case 'fund-out':
    case 'loan':
    case 'repayment':
    case 'pledge':
    case 'pledge-return':
    case 'lever-open':
    case 'lever-close':
    case 'interest':
    case 'interest-correction':
    case 'interest-waiver':
    case 'late-charge':
    case 'liquidation':
    case 'fund-earnings':
    case 'deficit':
    case 'deficit-reserve':
    case 'deficit-fund':
    case 'fund-capital':
      break
  }
  return null
}
