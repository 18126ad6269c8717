import { totalAssets } from '@candela/protocol/lending/assets'
import type { Data } from '@candela/protocol/endpoints'
import { toBaseUnits } from '@candela/protocol/money/money'
import type { Translate } from '../i18n/translate.ts'
import { Amount } from '../ui/amount/amount.tsx'
import { ExactAmount } from '../ui/amount/exact-amount.tsx'
import type { Explanation } from '../ui/overlay/explain-store.ts'
import { recomputedInput } from './recomputed.tsx'
import { usdt } from './usdt.tsx'

type Overview = Data<'GET home/overview'>

const price = (text: string | null) => (text === null ? null : toBaseUnits(text))

/** Computes again what an account has, all in all, from what is published with it; null while a price is missing. */
export function recomputeTotal({ balances, collateral, prices, financialAmount, loanAmount }: Overview): bigint | null {
  return totalAssets(
    {
      balances: { JU: toBaseUnits(balances.JU), USDT: toBaseUnits(balances.USDT), HASH: toBaseUnits(balances.HASH) },
      collateral: { JU: toBaseUnits(collateral.JU), HASH: toBaseUnits(collateral.HASH) },
      fund: toBaseUnits(financialAmount),
      debt: toBaseUnits(loanAmount),
    },
    { JU: price(prices.JU), USDT: price(prices.USDT), HASH: price(prices.HASH) },
  )
}

/** Everything that the sum consists of, each asset with its price. */
export function explainTotal(t: Translate, overview: Overview): Explanation {
  const { totalAssets: total, balances, collateral, prices, financialAmount, loanAmount } = overview
  const here = recomputeTotal(overview)
  const asset = (code: 'JU' | 'HASH', amounts: { JU: string; HASH: string }) => ({
    value: <ExactAmount value={amounts[code]} unit={code} />,
    atPrice: <span className="row-note">×&nbsp;{prices[code] ?? '—'}</span>,
  })
  const line = (label: string, { value, atPrice }: ReturnType<typeof asset>) => ({
    label,
    value: (
      <>
        {value}
        {atPrice}
      </>
    ),
  })
  return {
    title: t('loans.totalAssets'),
    ...(total !== null && { value: usdt(total) }),
    text: t('loans.totalAssetsFrom'),
    inputs: [
      { label: 'USDT', value: usdt(balances.USDT) },
      line('JU', asset('JU', balances)),
      line('HASH', asset('HASH', balances)),
      line(t('loans.lockedOf', { asset: 'JU' }), asset('JU', collateral)),
      line(t('loans.lockedOf', { asset: 'HASH' }), asset('HASH', collateral)),
      { label: t('loans.inFund'), value: usdt(financialAmount) },
      { label: t('loans.owed'), value: <>−{usdt(loanAmount)}</> },
      ...(here === null || total === null ? [] : [recomputedInput(t, here, total)]),
    ],
  }
}

export const TotalAmount = ({ total }: { total: string }) => (
  <Amount value={total} unit="USDT" digits={2} minDigits={2} />
)
