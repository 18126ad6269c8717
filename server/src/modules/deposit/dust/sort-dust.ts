import { utcDay } from '@candela/protocol/calendar'
import type { AssetCode } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import { z } from 'zod'
import { type ConfirmedPayment, paymentPostingId } from '../../../chain/crediting/credit-payments.ts'
import type { Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'

/** A payment of less than a step, and whose balance it is for; null for suspense. */
export type Dust = { payment: ConfirmedPayment; memberId: bigint | null }

/** single: booked by itself. waits: with the sum of its day. booked: by a sum, before our records of the chain were lost; where it went. */
export type DustFate = 'single' | 'waits' | { booked: 'balance' | 'suspense' }

/** So many of a recipient, asset and UTC day are booked by themselves: a careful person's test payment is seen. */
const SINGLES = 3

const knownRow = z.object({
  nth: z.number(),
  member_id: z.bigint().nullable(),
  is_single: z.boolean(),
  is_booked: z.boolean(),
})
const singlesRow = z.object({ nth: z.number(), singles: z.number() })

/** Decides about dust in chain order, by event id, and keeps the decisions: what was decided before stays so. */
export async function sortDust(tx: Tx, dust: readonly Dust[]): Promise<ReadonlyMap<bigint, DustFate>> {
  const fates = new Map<bigint, DustFate>()
  if (dust.length === 0) return fates
  const known = new Map((await readKnown(tx, dust)).map((row) => [row.nth, row]))
  const singles = new Map((await readSingles(tx, dust)).map((row) => [keyOf(dust[row.nth]), row.singles]))
  const decided: { dust: Dust; isSingle: boolean }[] = []
  for (const [nth, one] of dust.entries()) {
    const before = known.get(nth)
    const count = singles.get(keyOf(one)) ?? 0
    const isSingle = before === undefined ? count < SINGLES : before.is_single
    const isBooked = before?.is_booked === true
    const booked = { booked: (before?.member_id ?? null) === null ? ('suspense' as const) : ('balance' as const) }
    fates.set(one.payment.eventId, isSingle ? 'single' : isBooked ? booked : 'waits')
    if (isBooked) continue
    if (isSingle) singles.set(keyOf(one), count + 1)
    decided.push({ dust: one, isSingle })
  }
  await keep(tx, decided)
  return fates
}

const keyOf = (dust: Dust | undefined): string =>
  dust === undefined ? '' : `${dust.memberId ?? 0n} ${dust.payment.asset} ${utcDay(dust.payment.blockAt)}`

const readKnown = (tx: Tx, dust: readonly Dust[]) =>
  queryRows(
    tx,
    knownRow,
    sql`
    select (asked.nth - 1)::integer as nth, d.member_id, d.is_single, d.posting_id is not null as is_booked
    from unnest(${dust.map(({ payment }) => payment.txHash)}::text[], ${dust.map(({ payment }) => payment.txPosition)}::integer[])
      with ordinality as asked (tx_hash, tx_position, nth)
    join dust_payment d on d.tx_hash = asked.tx_hash and d.tx_position = asked.tx_position`,
  )

const readSingles = (tx: Tx, dust: readonly Dust[]) =>
  queryRows(
    tx,
    singlesRow,
    sql`
    select (asked.nth - 1)::integer as nth, (
      select count(*) from dust_payment d
      where d.is_single and coalesce(d.member_id, 0) = asked.member_id and d.asset = asked.asset and d.day = asked.day
    )::integer as singles
    from unnest(${dust.map(({ memberId }) => memberId ?? 0n)}::bigint[], ${dust.map(({ payment }) => payment.asset)}::text[],
      ${dust.map(({ payment }) => utcDay(payment.blockAt))}::date[]) with ordinality as asked (member_id, asset, day, nth)`,
  )

async function keep(tx: Tx, decided: readonly { dust: Dust; isSingle: boolean }[]): Promise<void> {
  if (decided.length === 0) return
  const column = <T>(of: (payment: ConfirmedPayment) => T): T[] => decided.map(({ dust }) => of(dust.payment))
  await sql`
    insert into dust_payment as known (tx_hash, tx_position, member_id, asset, amount, day, posting_id, is_single)
    select * from unnest(${column(({ txHash }) => txHash)}::text[], ${column(({ txPosition }) => txPosition)}::integer[],
      ${decided.map(({ dust }) => dust.memberId)}::bigint[], ${column(({ asset }): AssetCode => asset)}::text[],
      ${column(({ amount }) => amount)}::numeric[], ${column(({ blockAt }) => utcDay(blockAt))}::date[],
      ${decided.map(({ dust, isSingle }) => (isSingle ? paymentPostingId(dust.payment, 0) : null))}::uuid[],
      ${decided.map(({ isSingle }) => isSingle)}::bool[])
    on conflict (tx_hash, tx_position) do update
      set member_id = excluded.member_id, amount = excluded.amount, day = excluded.day
      where known.posting_id is null`.execute(tx)
}
