import { DAY_MS, HOUR_MS } from '@candela/protocol/units'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { fakeClock } from '../../kernel/clock.ts'
import { systemIds } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'
import { testMemo } from '../../ledger/testing/testing-memo.ts'
import { closeInvitation, listCrowdedCodes } from './manage-invitations.ts'
import { notePaidIn, type PaidIn } from './note-paid-in.ts'
import { registerMember } from './register.ts'
import { sweepMembers } from '../session/sweep-members.ts'

const clock = fakeClock('2026-03-01T12:00:00.000Z')
const ids = systemIds(clock)
let own: TestDatabase
let joined = 0
beforeEach(async () => {
  own = await createTestDatabase()
  clock.set('2026-03-01T12:00:00.000Z')
  const root = { code: 'ROOT1', note: '', created_at: clock.now(), closed_at: null }
  await own.db.insertInto('root_invitation').values(root).execute()
})
afterEach(() => own.drop())

const rowOf = (id: bigint) => own.db.selectFrom('member').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const exists = async (id: bigint) =>
  (await own.db.selectFrom('member').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
const join = (code = 'ROOT1') => {
  joined += 1
  const address: `0x${string}` = `0x${joined.toString(16).padStart(40, '0')}`
  return transaction(own.db, (tx) => registerMember(tx, ids, { address, invitationCode: code, now: clock.now() }))
}
const pay = (...paid: PaidIn[]) => transaction(own.db, (tx) => notePaidIn(tx, paid, clock.now()))
const limit = (key: string, value: number) =>
  own.db
    .insertInto('setting')
    .values({ key, value: String(value), updated_at: clock.now() })
    .execute()
const sweep = () => transaction(own.db, (tx) => sweepMembers(tx, clock.now(), 100))
/** A member whose code brings in others. */
async function inviter(): Promise<string> {
  const id = await join()
  await pay({ member: id, asset: 'USDT', amount: 10n ** 18n })
  return (await rowOf(id)).invitation_code
}

/** Two that are to go, and one that stays. */
async function crowd() {
  await limit('accountsPerDay', 1)
  const stays = await join()
  return { stays, one: await join(), other: await join() }
}
const later = (days: number, hours = 0) => clock.set(new Date(clock.now().getTime() + days * DAY_MS + hours * HOUR_MS))

describe('an own code', () => {
  test('works once 1 USDT was paid in, in any parts and assets', async () => {
    const id = await join()
    const { address, invitation_code: code } = await rowOf(id)
    await expect(join(code)).rejects.toMatchObject({ code: 4003 })
    await pay(
      { member: id, asset: 'USDT', amount: 5n * 10n ** 17n },
      { member: address, asset: 'JU', amount: 5n * 10n ** 16n },
    )
    await pay({ member: id, asset: 'HASH', amount: 499_999n * 10n ** 12n })
    expect(await rowOf(id)).toMatchObject({ paid_in: 999_999n, code_open_at: null })
    await expect(join(code)).rejects.toMatchObject({ code: 4003 })
    await pay({ member: id, asset: 'HASH', amount: 2n * 10n ** 12n })
    expect(await rowOf(id)).toMatchObject({ paid_in: 1_000_000n, code_open_at: clock.now() })
    expect((await rowOf(await join(code))).inviter_id).toBe(id)
    // Later payments change nothing, and a wallet that nobody has is nobody’s.
    await pay(
      { member: id, asset: 'USDT', amount: 10n ** 30n },
      { member: `0x${'f'.repeat(40)}`, asset: 'JU', amount: 10n ** 18n },
    )
    expect((await rowOf(id)).paid_in).toBe(1_000_000n)
  })

  test('dust opens none, however often it comes', async () => {
    const id = await join()
    for (let nth = 0; nth < 3; nth += 1)
      await pay(...Array.from({ length: 500 }, (): PaidIn => ({ member: id, asset: 'USDT', amount: 10n ** 12n - 1n })))
    expect((await rowOf(id)).paid_in).toBe(0n)
  })

  test('that an operator closed brings in nobody, whatever is paid in', async () => {
    const code = await inviter()
    const friend = await join(code)
    const close = (which: string) => transaction(own.db, (tx) => closeInvitation(tx, which, clock.now()))
    expect(await listCrowdedCodes(own.db, clock.now())).toMatchObject([{ code, accounts: 1n }])
    expect(await close(code)).toBe((await rowOf(friend)).uid - 1n)
    await expect(join(code)).rejects.toMatchObject({ code: 4003 })
    await expect(close(code)).rejects.toThrow('no open invitation code')
    // One that is not open yet is closed as well.
    const { invitation_code: early } = await rowOf(friend)
    await close(early)
    await pay({ member: friend, asset: 'USDT', amount: 10n ** 18n })
    await expect(join(early)).rejects.toMatchObject({ code: 4003 })
    expect(await close('ROOT1')).toBeNull()
  })
})

describe('beyond the limits', () => {
  test('of a member’s code accounts are made all the same, and go unless 1 USDT is paid in; the next day they stay again', async () => {
    await limit('codeAccountsPerDay', 3)
    const code = await inviter()
    const within = [await join(code), await join(code), await join(code)]
    for (const id of within) expect((await rowOf(id)).leaves_at).toBeNull()
    const beyond = await join(code)
    expect((await rowOf(beyond)).leaves_at).toEqual(new Date(clock.now().getTime() + 30 * DAY_MS))
    // Another code has its own limit, and a root code none.
    expect((await rowOf(await join(await inviter()))).leaves_at).toBeNull()
    for (let nth = 0; nth < 5; nth += 1) expect((await rowOf(await join())).leaves_at).toBeNull()
    clock.set('2026-03-02T00:00:00.000Z')
    expect((await rowOf(await join(code))).leaves_at).toBeNull()
    await pay({ member: beyond, asset: 'JU', amount: 2n * 10n ** 17n })
    expect((await rowOf(beyond)).leaves_at).toBeNull()
  })

  test('of the service it is the same, also for root codes', async () => {
    await limit('accountsPerDay', 2)
    const made = [await join(), await join(), await join()]
    expect(await Promise.all(made.map(async (id) => (await rowOf(id)).leaves_at === null))).toEqual([true, true, false])
  })
})

describe('an account that goes', () => {
  test('goes after its days with its sessions, and its address can come again', async () => {
    const { stays, one, other } = await crowd()
    const token_hash = Buffer.alloc(32, 1)
    const at = {
      created_at: clock.now(),
      seen_at: clock.now(),
      expires_at: new Date(clock.now().getTime() + 60 * DAY_MS),
    }
    await own.db
      .insertInto('session')
      .values({ token_hash, id: ids.uuid(), member_id: one, user_agent: '', ended_at: null, ...at })
      .execute()
    later(30)
    // An hour more, in which nobody finds it any more as a recipient.
    expect(await sweep()).toBe(0)
    later(0, 1)
    expect(await sweep()).toBe(2)
    expect(await Promise.all([stays, one, other].map(exists))).toEqual([true, false, false])
    expect(await own.db.selectFrom('session').select('id').execute()).toEqual([])
    const { change } = await own.db
      .selectFrom('member_count')
      .select(({ fn }) => fn.sum<bigint>('change').as('change'))
      .executeTakeFirstOrThrow()
    expect(change).toBe(1n)
  })

  test('to which the ledger has posted anything never goes', async () => {
    const { one, other } = await crowd()
    const legs = [
      { debit: platformAccount('custody', 'JU'), credit: memberAccount(one, 'memberAvailable', 'JU'), amount: 1n },
    ]
    await transaction(own.db, (tx) =>
      post(tx, { id: ids.uuid(), kind: 'deposit', legs, memo: testMemo(), occurredAt: clock.now() }),
    )
    later(31)
    expect(await sweep()).toBe(2)
    expect(await Promise.all([one, other].map(exists))).toEqual([true, false])
    expect((await rowOf(one)).leaves_at).toBeNull()
  })

  test('to which an order belongs is looked at again a day later', async () => {
    const { one } = await crowd()
    await own.db
      .insertInto('deposit')
      .values({
        deposit_no: 'D'.repeat(16),
        member_id: one,
        asset: 'JU',
        amount: 1n,
        created_at: clock.now(),
        lapses_at: new Date(clock.now().getTime() + 1),
      })
      .execute()
    later(31)
    expect(await sweep()).toBe(2)
    expect((await rowOf(one)).leaves_at).toEqual(new Date(clock.now().getTime() + DAY_MS))
    await own.db.deleteFrom('deposit').execute()
    later(1, 1)
    expect(await sweep()).toBe(1)
    expect(await exists(one)).toBe(false)
  })
})
