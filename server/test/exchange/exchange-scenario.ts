import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { type FixedPrice, withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import { transaction } from '@candela/server/db/open'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { exchangeHandlers } from '@candela/server/modules/exchange/endpoints'
import { addMember, addressOf, WHOLE } from '@candela/server/modules/power/testing'
import { expect } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

/** `liquidity` is the pair's USDT. */
export type Rates = { average: bigint; spot: bigint; paused?: boolean; liquidity?: bigint }

/** Two members with 1,000 of each asset, a desk with a million of each, and the endpoints as the server binds them. */
export async function startExchangeScenario(
  /** `observed`: prices are those of the pairs that the test observes, and not `rates`. */
  options: { observed?: boolean; poolSize?: number; stock?: bigint } = {},
) {
  const database = await createTestDatabase({ poolSize: options.poolSize ?? 8 })
  const clock = fakeClock('2026-03-01T12:00:00.000Z')
  const ids = systemIds(clock)
  /** JU at 2 USDT, HASH at 0.5. */
  const rates: Record<'JU' | 'HASH', Rates> = {
    JU: { average: 2n * WHOLE, spot: 2n * WHOLE },
    HASH: { average: WHOLE / 2n, spot: WHOLE / 2n },
  }
  const fixedOf = ({ average, spot, paused, liquidity }: Rates): FixedPrice => ({
    average,
    spot,
    ...(liquidity === undefined ? {} : { liquidity }),
    ...(paused === true ? { is: 'halted' } : {}),
  })
  const fixed = () => ({ JU: fixedOf(rates.JU), HASH: fixedOf(rates.HASH) })
  const db = options.observed === true ? database.db : withFixedPrices(database.db, fixed, clock)
  const handlers = exchangeHandlers({ db, ids })

  const put = async (account: bigint, asset: AssetCode, amount: bigint) => {
    const leg = { debit: platformAccount('custody', asset), credit: account, amount }
    const posting = { id: ids.uuid(), kind: 'deposit' as const, legs: [leg], memo: testMemo(), occurredAt: clock.now() }
    await transaction(db, (tx) => post(tx, posting))
  }
  let joined = 0
  const join = async (funds = 1_000n * WHOLE) => {
    joined += 1
    const id = await addMember(db, addressOf(joined))
    for (const asset of ['JU', 'USDT', 'HASH'] as const) {
      if (funds > 0n) await put(memberAccount(id, 'memberAvailable', asset), asset, funds)
    }
    return id
  }
  for (const asset of ['JU', 'USDT', 'HASH'] as const) {
    await put(platformAccount('deskInventory', asset), asset, options.stock ?? 1_000_000n * WHOLE)
  }
  const [alice, bob] = [await join(), await join()]
  const contextOf = (memberId: bigint) =>
    ({ memberId, now: clock.now() }) as Parameters<(typeof handlers)['POST exchange/index']>[1]

  const quote = (memberId: bigint, from: AssetCode, to: AssetCode, amount: bigint) =>
    handlers['POST exchange/quote']({ from, to, amount }, contextOf(memberId))

  return {
    db,
    clock,
    rates,
    alice,
    bob,
    join,
    put,
    quote,
    execute: async (
      memberId: bigint,
      quoteNo: string,
      { minReceived = 1n, requestId = ids.uuid() }: { minReceived?: bigint; requestId?: string } = {},
    ) => (await handlers['POST exchange/index']({ quoteNo, minReceived, requestId }, contextOf(memberId))).exchange,
    list: (memberId: bigint, page: { cursor?: string; limit?: number } = {}) =>
      handlers['GET exchange/list']({ limit: DEFAULT_PAGE_LIMIT, ...page }, contextOf(memberId)),
    async balances(memberId: bigint) {
      const found = await memberBalances(db, memberId)
      return Object.fromEntries(
        (['JU', 'USDT', 'HASH'] as const).map((asset) => [asset, fromBaseUnits(found[asset].available)]),
      )
    },
    desk: (asset: AssetCode) => accountBalance(db, platformAccount('deskInventory', asset)),
    fees: (asset: AssetCode) => accountBalance(db, platformAccount('fees', asset)),
    async expectSound() {
      expect(await auditLedger(db)).toEqual([])
    },
    [Symbol.asyncDispose]: () => database.drop(),
  }
}
