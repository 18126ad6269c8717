import { actionKeys } from '@candela/protocol/chain/action-data'
import { must } from '../../kernel/assert.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConfirmedPayment } from '../../chain/crediting/credit-payments.ts'
import type { ChainAction } from '../../chain/follow/read/decode.ts'
import type { Database } from '../../db/open.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { decideReceipt } from './decide-receipts.ts'
import { type Announcement, matchAnnouncements, type Receipt } from './match-announcements.ts'
import { readDeposits } from './read-deposits.ts'

/** Actions whose destination is known before their settlement; a waiting payment with another action is not shown. */
const FORESEEN: ChainAction[] = ['deposit', 'native', 'transfer', 'unknown']

const NOW = new Date('2026-03-01T12:00:00Z')
const hour = (nth: number) => new Date(NOW.getTime() + nth * 3_600_000)

/** Any of them may be a member. */
const addresses = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`)
const numbers = ['DEPOSIT1', 'DEPOSIT2']

// Few values of each kind, so that payments meet announcements and each other.
const anyMoney = {
  asset: fc.constantFrom('USDT' as const, 'HASH' as const),
  amount: fc.bigInt(1n, 2n).map((whole) => whole * 10n ** 18n),
}
const anyAnnouncement = fc.record({ owner: fc.nat(), lapsed: fc.boolean(), ...anyMoney })
const anyPayment = fc.record({
  action: fc.oneof(
    { weight: 3, arbitrary: fc.constant<ChainAction>('deposit') },
    { weight: 2, arbitrary: fc.constantFrom<ChainAction[]>(...FORESEEN, ...actionKeys) },
  ),
  reference: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...numbers) }, { weight: 1, arbitrary: fc.constant('') }),
  payer: fc.constantFrom(...addresses),
  customer: fc.constantFrom(...addresses),
  block: fc.integer({ min: 1, max: 3 }),
  isCredited: fc.constantFrom(true, false, false),
  ...anyMoney,
})
const anyScenario = fc.record({
  members: fc.subarray(addresses, { minLength: 1 }),
  announced: fc.array(anyAnnouncement, { minLength: 1, maxLength: numbers.length }),
  payments: fc.array(anyPayment, { maxLength: 10, size: 'max' }),
})
type Scenario = typeof anyScenario extends fc.Arbitrary<infer T> ? T : never

async function clear(db: Database): Promise<void> {
  for (const table of ['deposit_receipt', 'chain_event', 'deposit', 'member'] as const)
    await db.deleteFrom(table).execute()
}

const addMember = async (db: Database, address: string): Promise<{ id: bigint; address: string }> =>
  db
    .insertInto('member')
    .values({ address, inviter_id: null, invitation_code: `T${address.slice(-10).toUpperCase()}`, joined_at: NOW })
    .returning(['id', 'address'])
    .executeTakeFirstOrThrow()

async function addAnnouncement(
  db: Database,
  depositNo: string,
  owner: { id: bigint; address: string },
  { asset, amount, lapsed }: Scenario['announced'][number],
): Promise<[string, Announcement]> {
  const { id } = await db
    .insertInto('deposit')
    .values({
      deposit_no: depositNo,
      member_id: owner.id,
      asset,
      amount,
      created_at: hour(-2),
      lapses_at: hour(lapsed ? -1 : 1),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return [depositNo, { id, memberId: owner.id, owner: owner.address, asset, amount }]
}

type Recorded = Pick<
  ConfirmedPayment,
  'eventId' | 'txHash' | 'action' | 'reference' | 'asset' | 'amount' | 'payer' | 'customer'
> & { isCredited: boolean; block: number; logIndex: number }

/** Later payments of the list stand earlier in their block, so that ids do not follow the order of the chain. */
async function addPayment(db: Database, payment: Scenario['payments'][number], nth: number): Promise<Recorded> {
  const { block, isCredited, ...written } = payment
  const position = { txHash: `0x${nth.toString(16).padStart(64, '0')}`, logIndex: 100 - nth }
  const { id } = await db
    .insertInto('chain_event')
    .values({
      ...written,
      tx_hash: position.txHash,
      log_index: position.logIndex,
      tx_position: 0,
      block_number: BigInt(block),
      block_hash: `h${block}`,
      block_at: NOW,
      confirmations_needed: 12,
      state: isCredited ? 'credited' : 'recorded',
      outcome: isCredited ? 'balance' : null,
      credited_at: isCredited ? NOW : null,
      orphaned_at: null,
      last_failure: null,
      retry_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...payment, ...position, eventId: id }
}

type Placed = { payment: Recorded; memberId: bigint; depositId: bigint | null }

/** Where the pure rules put each payment that ends on a member's balance; given in the order of their settlement. */
function place(
  payments: readonly Recorded[],
  announcements: ReadonlyMap<string, Announcement>,
  memberOf: (address: string) => bigint | undefined,
): Placed[] {
  const receipts = payments.flatMap((payment) => {
    const destination = decideReceipt({ ...payment, revenueDay: null }, memberOf)
    return 'memberId' in destination ? [{ payment, memberId: destination.memberId }] : []
  })
  const fulfilled = matchAnnouncements(receipts satisfies Receipt[], announcements)
  return receipts.map((receipt, nth) => ({ ...receipt, depositId: fulfilled[nth] ?? null }))
}

test('property: a waiting payment is shown where decideReceipt and matchAnnouncements will put it', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await db.insertInto('chain_block').values({ number: 3n, hash: 'h3', parent_hash: 'h2', at: NOW }).execute()
  const cursor = { followed: 3n, followed_hash: 'h3', head: 3n, head_seen_at: NOW, halted_reason: null }
  await db
    .insertInto('chain_cursor')
    .values({ chain_id: 1n, gateway: '0x', start_block: 1n, ...cursor })
    .execute()
  await fc.assert(
    fc.asyncProperty(anyScenario, async (scenario) => {
      await clear(db)
      const members = await Promise.all(scenario.members.map((address) => addMember(db, address)))
      const memberOf = (address: string) => members.find((member) => member.address === address)?.id
      const announcements = new Map(
        await Promise.all(
          scenario.announced.map((one, nth) =>
            addAnnouncement(
              db,
              must(numbers[nth], 'as many numbers'),
              must(members[one.owner % members.length], 'one member or more'),
              one,
            ),
          ),
        ),
      )
      const payments = await Promise.all(scenario.payments.map((payment, nth) => addPayment(db, payment, nth)))
      const inOrder = payments.toSorted((one, other) => one.block - other.block || one.logIndex - other.logIndex)
      const credited = place(
        inOrder.filter(({ isCredited }) => isCredited),
        announcements,
        memberOf,
      )
      if (credited.length > 0)
        await db
          .insertInto('deposit_receipt')
          .values(
            credited.map(({ payment, memberId, depositId }) => ({
              chain_event_id: payment.eventId,
              member_id: memberId,
              deposit_id: depositId,
              at: NOW,
            })),
          )
          .execute()
      const done = new Set(credited.map(({ depositId }) => depositId))
      const waiting = place(
        inOrder.filter(({ isCredited, action }) => !isCredited && FORESEEN.includes(action)),
        new Map([...announcements].filter(([, { id }]) => !done.has(id))),
        memberOf,
      )
      const placed = [...credited, ...waiting]
      for (const { id } of members) {
        const announced = [...announcements].flatMap(([depositNo, announcement], nth) => {
          if (announcement.memberId !== id) return []
          const payment = placed.find(({ depositId }) => depositId === announcement.id)?.payment
          return [
            { depositNo, state: stateOf(payment, scenario.announced[nth]?.lapsed), txHash: payment?.txHash ?? null },
          ]
        })
        const others = placed.flatMap(({ payment, memberId, depositId }) =>
          memberId === id && depositId === null
            ? [{ depositNo: null, state: stateOf(payment), txHash: payment.txHash }]
            : [],
        )
        expect(await shown(db, { memberId: id })).toEqual(sorted([...announced, ...others]))
        const [one] = announced
        if (one !== undefined) expect(await shown(db, { memberId: id, depositNo: one.depositNo })).toEqual([one])
      }
    }),
    { numRuns: 250 },
  )
})

type Shown = { depositNo: string | null; state: string; txHash: string | null }

const sorted = (rows: readonly Shown[]): Shown[] =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

function stateOf(payment: Recorded | undefined, lapsed = false): string {
  if (payment !== undefined) return payment.isCredited ? 'credited' : 'confirming'
  return lapsed ? 'lapsed' : 'announced'
}

async function shown(db: Database, filter: { memberId: bigint; depositNo?: string }): Promise<Shown[]> {
  const found = await readDeposits(db, { ...filter, limit: 100 })
  return sorted(
    found.map(({ deposit: { depositNo, state, payment } }) => ({ depositNo, state, txHash: payment?.txHash ?? null })),
  )
}
