import { sql } from 'kysely'
import type { Database } from '@candela/server/db/open'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'

/** Postings in one call of the ledger. */
const BATCH = 10_000

/**
 * Gives a member so many postings, a minute apart, the last one now. The oldest thirty have every kind in every asset. Up
 * to two fifths of the way most kinds alternate; the rest are transfers in USDT. So kinds that are rare, plentiful, old
 * and recent are all there.
 */
export async function addEntries(db: Database, memberId: bigint, postings: number, now: Date): Promise<void> {
  for (let from = 1; from <= postings; from += BATCH) {
    await addBatch(db, memberId, { from, to: Math.min(postings, from + BATCH - 1), last: postings }, now)
  }
}

type Range = { from: number; to: number; last: number }

async function addBatch(db: Database, memberId: bigint, { from, to, last }: Range, now: Date): Promise<void> {
  const available = memberAccount(memberId, 'memberAvailable', 'JU')
  const held = memberAccount(memberId, 'memberHeld', 'JU')
  const custody = platformAccount('custody', 'JU')
  await sql`
    with made as (
      select n, case
          when n <= 3 then 'deposit'
          when n <= 30 then (array['withdrawal-hold', 'withdrawal-hold', 'withdrawal-release', 'withdrawal', 'unmatched',
            'assigned', 'exchange', 'referral', 'income'])[(n - 4) % 9 + 1]
          when n <= ${last} * 2 / 5 then (array['withdrawal-hold', 'withdrawal', 'deposit', 'unmatched', 'exchange',
            'referral', 'income', 'transfer'])[n % 8 + 1]
          else 'transfer'
        end as kind,
        -- Assets are numbered in a row, and so are their accounts.
        case when n <= 3 then n - 1 when n <= 30 then (n - 4) / 9 when n <= ${last} * 2 / 5 then n / 8 % 3 else 1 end
          as asset
      from generate_series(${from}::integer, ${to}::integer) n
    ),
    posting as (
      select n - ${from} + 1 as no, n, kind, case when kind = 'income' then 2 else asset end as asset,
        case kind
          when 'income' then jsonb_build_object('day', (${now}::date - (${last} - n) / 8)::text)
          when 'transfer' then jsonb_build_object('transferNo', 'T' || n, 'from', '0x' || repeat('a', 40),
            'fromUid', '10001', 'to', '0x' || repeat('b', 40), 'toUid', '10002', 'requestId', 'r' || n,
            'deadline', '2026-03-01T00:00:00.000Z', 'signature', '0x' || repeat('ab', 65))
          when 'exchange' then jsonb_build_object('exchangeNo', 'E' || n, 'quoteNo', 'Q' || n, 'from', 'JU', 'to', 'USDT')
          when 'referral' then jsonb_build_object('orderNo', 'O' || n, 'txHash', '0x' || repeat('c', 64))
          when 'assigned' then jsonb_build_object('txHash', '0x' || repeat('c', 64))
          when 'deposit' then jsonb_build_object('action', 'deposit', 'reference', '', 'payer', '', 'customer', '',
            'txHash', '0x' || repeat('c', 64))
          when 'unmatched' then jsonb_build_object('action', 'buyPower', 'reference', '', 'payer', '', 'customer', '',
            'txHash', '0x' || repeat('c', 64))
          else jsonb_build_object('withdrawalNo', 'W' || n, 'to', '0x' || repeat('a', 40))
        end as memo
      from made
    )
    select ledger_post(
      array_agg(gen_random_uuid() order by no), array_agg(kind order by no), array_agg(memo order by no),
      array_agg(${now}::timestamptz - (${last} - n) * interval '1 minute' order by no),
      array_agg(no::integer order by no), array_agg(1 order by no),
      array_agg(asset + case kind when 'withdrawal-hold' then ${available}::bigint
        when 'withdrawal-release' then ${held}::bigint when 'withdrawal' then ${held}::bigint
        else ${custody}::bigint end order by no),
      array_agg(asset + case kind when 'withdrawal-hold' then ${held}::bigint
        when 'withdrawal' then ${custody}::bigint else ${available}::bigint end order by no),
      array_agg(case when n <= 3 then 10::numeric ^ 30 else 10::numeric ^ 18 end order by no)
    ) from posting`.execute(db)
}
