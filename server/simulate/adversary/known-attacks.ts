import type { Edit, Mutation } from '../../../tests/mutants/mutation.ts'
import type { StrategyName } from './strategies.ts'

/** An attack that was possible once: the server without what stops it, and the strategies that are drawn from. */
export type KnownAttack = Mutation & { strategies: readonly StrategyName[] }

const usePrice = 'server/src/chain/price/use-price.ts'
const salePrice = 'protocol/lending/sale-price.ts'

/** Spot counts in a sale at a line, however far it is from the median. */
const withoutMedian: Edit[] = [
  { file: usePrice, search: 'deviates(spot, median5, AWAY_BPS)', replace: 'deviates(spot, spot, AWAY_BPS)' },
  {
    file: salePrice,
    search: 'least(greatest(spot, (median5 * (BPS - AWAY_BPS)) / BPS), average30, averageDay)',
    replace: 'least(spot, average30, averageDay)',
  },
]

export const knownAttacks: readonly KnownAttack[] = [
  {
    name: 'one pushed block brings loans to their line',
    file: usePrice,
    search: 'marginPrice({ asset, median5, pauseReason }: Price)',
    replace: 'marginPrice({ asset, spot: median5, pauseReason }: Price)',
    more: withoutMedian,
    strategies: ['pushOneBlock', 'pushAndHold'],
  },
  {
    name: 'one pushed block sells what is at its line for a fraction',
    ...(withoutMedian[0] as Edit),
    more: withoutMedian.slice(1),
    strategies: ['pushAtLine'],
  },
  {
    name: 'new debt counts collateral at spot, without a ceiling',
    file: usePrice,
    search: 'return lowestOf(price, leveragePrice(price), price.weekAverage)',
    replace: 'return price.spot ?? 0n',
    more: [
      {
        file: 'server/src/modules/lending/project/ceiling.ts',
        search: 'if (amount > left) throw',
        replace: 'if (amount > 10n ** 60n + left) throw',
      },
    ],
    strategies: ['pushOneBlock', 'pushAndHold', 'ratchet'],
  },
  {
    name: 'who has used up the hour of the desk keeps others from closing',
    file: 'server/src/modules/lending/lever/positions.ts',
    search: 'if (isAppError(error, codes.aboveLimit)) return false\n',
    replace: '',
    strategies: ['useHour'],
  },
  {
    name: 'a payment on the way keeps a sale away',
    file: 'server/src/modules/lending/loan/watch/liquidate-loans.ts',
    search: 'if (reason === undefined) return []\n',
    replace:
      'if (reason === undefined || paidOnChain(charged.loan, chain.afterPayments(charged.loan)) > 0n) return []\n',
    strategies: ['payInEachBlock'],
  },
  {
    name: 'who keeps swinging a pair is never sold',
    file: 'server/src/modules/lending/loan/watch/hold-back.ts',
    search: 'else loan_wait.since end',
    replace: 'else excluded.since end',
    strategies: ['swingPair'],
  },
  {
    name: 'small loans stand before large ones',
    file: 'server/src/modules/lending/loan/watch/watch-loans.ts',
    search: 'by: sql`${OWED} * ${PPM * WHOLE_UNIT}::numeric - clearing_ppm * collateral * ${price}::numeric`',
    replace: 'by: sql`watch_price`',
    strategies: ['smallLoans'],
  },
  {
    name: 'one member fills the ceiling',
    file: 'server/src/modules/lending/project/ceiling.ts',
    search: 'const left = all < member ? all : member',
    replace: 'const left = all < member ? all : all + 0n * member',
    strategies: ['fillCeiling', 'passOn'],
  },
  {
    name: 'who enters the fund for the last minute of a day has its interest',
    file: 'protocol/fund/fund.ts',
    search: 'shares === 0n ? assets : assets + pending',
    replace: 'shares === 0n ? assets + pending : assets',
    strategies: ['enterAndLeaveFund'],
  },
  {
    name: 'a borrower picks the minute at which its collateral is sold',
    file: salePrice,
    search: 'average30, averageDay)\n',
    replace: 'average30, average30 + 0n * averageDay)\n',
    more: [
      {
        file: 'server/src/modules/lending/loan/watch/liquidate-loans.ts',
        search: 'const late = price.paused ?',
        replace: 'const late = price.spot === null ?',
      },
    ],
    strategies: ['waitForMidnight'],
  },
]
