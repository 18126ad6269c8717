import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction, type Tx } from '../../db/open.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { countMembers, foldMemberCount } from './count-members.ts'

let made = 0

/** So many at once, all invited by the same member or by nobody. */
async function join(tx: Tx, count: number, inviter: bigint | null): Promise<void> {
  made += count
  await sql`
    insert into member (address, inviter_id, invitation_code, joined_at)
    select '0x' || lpad(to_hex(n), 40, '0'), ${inviter}::bigint, 'C' || lpad(n::text, 8, '0'), now()
    from generate_series(${made - count + 1}::bigint, ${made}::bigint) n`.execute(tx)
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('join' as const), count: fc.integer({ min: 0, max: 4 }), by: fc.nat(5) }),
  fc.record({ kind: fc.constant('rolled back' as const), count: fc.integer({ min: 1, max: 4 }), by: fc.nat(5) }),
  fc.record({ kind: fc.constant('leave' as const), count: fc.integer({ min: 1, max: 3 }), by: fc.nat(5) }),
  fc.record({ kind: fc.constant('fold' as const), count: fc.constant(0), by: fc.constant(0) }),
)

test('the number of members and of those whom each invited is a full count, whatever happened in which order', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (rounds) => {
      for (const round of rounds) {
        const members = (await db.selectFrom('member').select('id').orderBy('id').execute()).map(({ id }) => id)
        // All steps of a round run at the same time.
        await Promise.all(
          round.map(async ({ kind, count, by }) => {
            const inviter = members[by] ?? null
            if (kind === 'fold') return foldMemberCount(db)
            if (kind === 'join') return transaction(db, (tx) => join(tx, count, inviter))
            if (kind === 'rolled back') {
              const failed = transaction(db, async (tx) => {
                await join(tx, count, inviter)
                throw new Error('rolled back')
              })
              return expect(failed).rejects.toThrow('rolled back')
            }
            await sql`
              delete from member where id in (
                select id from member m where not exists (select from member i where i.inviter_id = m.id) and id <> all (${members.slice(0, 6)}::bigint[])
                order by id desc limit ${count} for update skip locked)`.execute(db)
          }),
        )
        const { rows } = await sql<{ members: bigint; differing: bigint }>`
          select (select count(*) from member) as members, (
            select count(*) from member m left join member_referrals r on r.inviter_id = m.id
            where coalesce(r.referrals, 0) <> (select count(*) from member i where i.inviter_id = m.id)
          ) as differing`.execute(db)
        expect({ members: BigInt(await countMembers(db)), differing: 0n }).toEqual(rows[0])
      }
    }),
    { numRuns: 15 },
  )
  await foldMemberCount(db)
  expect(await db.selectFrom('member_count').selectAll().execute()).toHaveLength(1)
})
