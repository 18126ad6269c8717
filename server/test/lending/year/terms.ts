import { addDays } from '@candela/protocol/calendar'
import { WHOLE } from '../lending-scenario.ts'
import type { Terms } from './loan-history.ts'

/** Terms of loans, written down again: of the scenario's two projects, and of leveraged loans as the settings begin with. */

export type Product = 'JU' | 'HASH' | 'lever'
export type Opening = { lent: bigint; collateral: bigint; openedOn: string; days: number }

const RATES = { JU: 91_250n, HASH: 91_250n, lever: 180_000n }
const CLEARING = { JU: 800_000n, HASH: 750_000n, lever: 900_000n }

export const termsWith =
  (defaultDays: number) =>
  (product: Product, { lent, collateral, openedOn, days }: Opening): Terms => ({
    isLever: product === 'lever',
    lent,
    collateral,
    openedOn,
    dueOn: addDays(openedOn, days),
    rate: RATES[product],
    clearing: CLEARING[product],
    late: 500n,
    liquidationFee: 20_000n,
    graceDays: 3,
    defaultDays,
    fullBelow: 2_000n * WHOLE,
    installmentFee: WHOLE,
  })
