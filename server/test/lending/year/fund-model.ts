import { toBaseUnits } from '@candela/protocol/money/money'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Random } from '../../../simulate/run/random.ts'
import { type Scenario, WHOLE } from '../lending-scenario.ts'
import { refused } from '@candela/testing/server/refused'

/** The money fund computed beside it from what its members did: assets, shares, and what each close and deficit changed. */

const VIRTUAL = 10n ** 9n
const up = (above: bigint, below: bigint): bigint => (above + below - 1n) / below

/** @param first who moved in before, with how much: the first share costs 1 USDT */
export function fundModel(lending: Scenario, first: { memberId: bigint; amount: bigint }) {
  const { db, handlers, contextOf, requestId } = lending
  let assets = first.amount
  let shares = first.amount
  const held = new Map([[first.memberId, first.amount]])
  let deficits = 0
  let price = { assets: VIRTUAL, shares: VIRTUAL }

  const give = (memberId: bigint, count: bigint) => {
    shares += count
    held.set(memberId, (held.get(memberId) ?? 0n) + count)
  }

  /** A member who comes in pays for the interest that is pending, and the price stays. */
  async function moveIn(memberId: bigint, whole: bigint): Promise<void> {
    const { pending } = await readFund(db)
    const amount = whole * WHOLE
    const bought = (amount * (shares + VIRTUAL)) / (assets + pending + VIRTUAL)
    const cost = up(bought * (assets + VIRTUAL), shares + VIRTUAL)
    const moved = await handlers['POST finance/transferIn']({ amount, requestId: requestId() }, contextOf(memberId))
    expect(toBaseUnits(moved.shares)).toBe(bought)
    give(memberId, bought)
    assets += cost
  }

  /** @returns false when the fund has lent it, or it is not worth so much */
  async function moveOut(memberId: bigint, whole: bigint): Promise<boolean> {
    const amount = whole * WHOLE
    const virtual = assets < shares ? 0n : VIRTUAL
    const call = handlers['POST finance/transferOut']({ amount, requestId: requestId() }, contextOf(memberId))
    const code = await refused(call)
    if (code !== 'accepted') {
      expect([4201, 4302]).toContain(code)
      return false
    }
    give(memberId, -up(amount * (shares + virtual), assets + virtual))
    assets -= amount
    return true
  }

  return {
    moveIn,
    moveOut,
    /** Takes in what a deficit has cost since the last look. @returns true when there was one */
    async countDeficits(): Promise<boolean> {
      const lost = await db.selectFrom('fund_price').selectAll().where('reason', '=', 'deficit').orderBy('id').execute()
      for (const row of lost.slice(deficits)) {
        expect(row.assets_before).toBe(assets)
        assets = row.assets_after
      }
      const isNew = lost.length > deficits
      deficits = lost.length
      return isNew
    },
    /** Interest until the end of the day counts in the price; then everything is compared. */
    async closed(day: string, pending: bigint): Promise<void> {
      assets += pending
      const fund = await readFund(db)
      expect({ day, assets: fund.assets, shares: fund.shares }).toEqual({ day, assets, shares })
      const row = await db.selectFrom('fund_price').selectAll().where('day', '=', day).executeTakeFirstOrThrow()
      expect([row.assets_after, row.shares]).toEqual([assets, shares])
      const { rows } = await sql<{ id: bigint; balance: bigint }>`
        select id / 100000 as id, balance from ledger_account
        where id >= 100000 and id < ${2n ** 40n * 100_000n}::bigint and id % 100000 = 12004 order by id`.execute(db)
      expect(new Map(rows.map(({ id, balance }) => [id, balance]))).toEqual(held)
      // All shares at their price are the assets, but for less than a base unit each, and what the virtual shares earn.
      const virtual = assets < shares ? 0n : VIRTUAL
      const worth = rows.reduce((sum, { balance }) => sum + (balance * (assets + virtual)) / (shares + virtual), 0n)
      const nobodys = assets < shares ? 0n : up(VIRTUAL * (assets - shares), shares + VIRTUAL)
      expect(assets - worth).toBeGreaterThanOrEqual(0n)
      expect(assets - worth).toBeLessThanOrEqual(BigInt(rows.length) + nobodys)
    },
    /** The share price has not fallen since the last look, unless a deficit was recorded. */
    comparePrice(hadDeficit: boolean): void {
      const now = { assets: assets + VIRTUAL, shares: shares + VIRTUAL }
      const fell = now.assets * price.shares < price.assets * now.shares
      expect(fell && !hadDeficit).toBe(false)
      price = now
    },
    async moveSome(random: Random, members: readonly bigint[], count: number): Promise<void> {
      for (let nth = 0; nth < count; nth += 1) {
        const member = random.pick(members)
        const whole = BigInt(1 + random.below(400))
        if (random.chance(0.6)) await moveIn(member, whole)
        else await moveOut(member, whole)
      }
    },
  }
}
