import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../../db/open.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { addMember, addressOf } from '../testing.ts'
import { foldTotalPower, readTotalPower } from './read-total-power.ts'

const MEMBERS = 4
const step = fc.record({
  kind: fc.constantFrom('add' as const, 'add' as const, 'remove' as const, 'rolled back' as const, 'fold' as const),
  member: fc.nat(MEMBERS - 1),
  units: fc.integer({ min: 0, max: 1_000_000 }),
})

test('the power of all is the sum over members, whatever happened in which order', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const members: bigint[] = []
  for (let nth = 1; nth <= MEMBERS; nth++) members.push(await addMember(db, addressOf(nth)))
  const change = ({ member, units, kind }: { member: number; units: number; kind: string }) =>
    transaction(db, async (tx) => {
      // As bought orders are added: a first one makes the row, later ones change it.
      await sql`
        insert into member_power as p (member_id, active_units)
        select id, ${kind === 'remove' ? 0 : units}::bigint from unnest(${[members[member]]}::bigint[]) as id
        on conflict (member_id) do update set active_units =
          case when ${kind === 'remove'} then greatest(0, p.active_units - ${units}) else p.active_units + ${units} end
      `.execute(tx)
      if (kind === 'rolled back') throw new Error('rolled back')
    })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (rounds) => {
      for (const round of rounds) {
        await Promise.all(
          round.map((one) => {
            if (one.kind === 'fold') return foldTotalPower(db)
            return one.kind === 'rolled back' ? expect(change(one)).rejects.toThrow('rolled back') : change(one)
          }),
        )
        const { rows } = await sql<{ units: bigint }>`
          select coalesce(sum(active_units), 0) as units from member_power`.execute(db)
        expect(BigInt((await readTotalPower(db)).units)).toBe(rows[0]?.units)
      }
    }),
    { numRuns: 15 },
  )
  await sql`delete from member_power`.execute(db)
  await foldTotalPower(db)
  expect(await readTotalPower(db)).toEqual({ units: 0, unit: 'T' })
  expect(await db.selectFrom('power_total').selectAll().execute()).toHaveLength(1)
})
