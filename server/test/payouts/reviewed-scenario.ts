/** A scenario with operators, and quotes that ask nobody whether withdrawals are paused. */
import type { TestChain } from '@candela/testing/chain/test-chain'
import { quoteWithdrawal } from '@candela/server/modules/withdraw/quote'
import { startOperators } from '@candela/server/operator/testing-operators'
import { DEPTH, limitPriceOf, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'

/** With the operators ada and bob. */
export async function startReviewed(chain: TestChain) {
  const scenario = await startPayoutScenario(chain)
  return { ...scenario, operators: await startOperators(scenario.url, scenario.clock) }
}

/** To alice. */
export const quote = (scenario: PayoutScenario, asset: 'JU' | 'USDT', amount?: bigint) =>
  quoteWithdrawal(
    {
      db: scenario.db,
      readLimitPrice: (_db, of) => Promise.resolve(limitPriceOf(scenario.prices[of], scenario.pausedPrices[of])),
      readPauseReason: () => Promise.resolve(null),
      confirmationsOf: () => DEPTH,
    },
    { asset, amount },
    { memberId: scenario.memberOf(scenario.alice), now: scenario.clock.now() },
  )
