import { codes } from '@candela/protocol/codes/codes'
import { DAY_MS } from '@candela/protocol/units'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '@candela/server/kernel/clock'
import { addMember, addressOf, followTo, WHOLE } from '@candela/server/modules/power/testing'
import { proofHandlers } from '@candela/server/modules/proof/endpoints'
import { readAttestationAge, readAttested } from '@candela/server/modules/proof/read-attested'
import { expect, test } from 'vitest'
import { transaction } from '@candela/server/db/open'
import { systemIds } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'
import { attestSnapshot } from './attested.ts'

const [FIRST, SECOND] = ['2026-03-01', '2026-03-02']

async function start() {
  const own = await createTestDatabase()
  const { db } = own
  const clock = fakeClock(`${FIRST}T02:00:00Z`)
  await followTo(db, 100n, clock.now())
  const member = await addMember(db, addressOf(7))
  await attestSnapshot(db, FIRST, clock)
  const handlers = proofHandlers({ db })
  const contextOf = (memberId: bigint) => ({ memberId, now: clock.now() }) as never
  return { db, clock, member, handlers, contextOf, [Symbol.asyncDispose]: () => own.drop() }
}

test('what is signed and not final is not published, and nor is its age counted', async () => {
  await using own = await start()
  const { db, clock } = own
  clock.set(`${SECOND}T02:00:00Z`)
  await attestSnapshot(db, SECOND, clock)
  await db.updateTable('attestation').set({ state: 'signed', attested_at: null }).where('day', '=', SECOND).execute()
  expect((await readAttested(db))?.day).toBe(FIRST)
  expect(await readAttested(db, SECOND)).toBeUndefined()
  expect(await readAttestationAge(db, clock.now())).toBe(DAY_MS)
  await db
    .updateTable('attestation')
    .set({ state: 'attested', attested_at: clock.now() })
    .where('day', '=', SECOND)
    .execute()
  expect((await readAttested(db))?.day).toBe(SECOND)
  expect(await readAttestationAge(db, clock.now())).toBe(0)
})

test('where nothing is owed there is no ratio, and the tree has no part after the last', async () => {
  await using own = await start()
  const { attestation } = await own.handlers['GET solvency/latest']({}, own.contextOf(own.member))
  expect(attestation?.assets.map(({ owed, ratio }) => [owed, ratio])).toEqual([
    ['0', null],
    ['0', null],
    ['0', null],
  ])
  const part = (nth: number) => own.handlers['GET solvency/tree']({ day: FIRST, part: nth }, own.contextOf(own.member))
  const { parts, items, leaves } = await part(0)
  expect([parts, items.length]).toEqual([1, leaves])
  await expect(part(1)).rejects.toMatchObject({ code: codes.notFound })
})

test('who joined after the snapshot is told that there is no proof', async () => {
  await using own = await start()
  const { db, clock, member } = own
  const legs = [
    { debit: platformAccount('custody', 'JU'), credit: memberAccount(member, 'memberAvailable', 'JU'), amount: WHOLE },
  ]
  const id = systemIds(clock).uuid()
  const posting = { id, kind: 'deposit' as const, legs, memo: testMemo(), occurredAt: clock.now() }
  await transaction(db, (tx) => post(tx, posting))
  await attestSnapshot(db, SECOND, clock)
  const newcomer = await addMember(own.db, addressOf(8))
  const proof = (memberId: bigint) => own.handlers['GET solvency/proof']({}, own.contextOf(memberId))
  expect((await proof(own.member)).day).toBe(SECOND)
  await expect(proof(newcomer)).rejects.toMatchObject({ code: codes.notFound })
})
