/** A scenario with operators, and quotes. */
import type { TestChain } from '@candela/testing/chain/test-chain'
import { quoteWithdrawal } from '@candela/server/modules/withdraw/quote'
import { startOperators } from '@candela/server/operator/testing-operators'
import { DEPTH, type PayoutScenario, startPayoutScenario } from './payouts-scenario.ts'

/** With the operators ada and bob. */
export async function startReviewed(chain: TestChain) {
  const scenario = await startPayoutScenario(chain)
  return { ...scenario, operators: await startOperators(scenario.url, scenario.clock) }
}

/** To alice. */
export const quote = (scenario: PayoutScenario, asset: 'JU' | 'USDT', amount?: bigint) =>
  quoteWithdrawal(
    { db: scenario.db, confirmations: { normal: DEPTH, large: DEPTH, largeAbove: 0n } },
    { asset, amount },
    { memberId: scenario.memberOf(scenario.alice), now: scenario.clock.now() },
  )
