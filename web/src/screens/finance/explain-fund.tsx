import { fundRate, sharePrice, worthOf } from '@candela/protocol/fund/fund'
import { languageTag, type Language } from '@candela/protocol/language'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import { recomputedInput } from '../../lending/recomputed.tsx'
import { usdt } from '../../lending/usdt.tsx'
import type { Translate } from '../../i18n/translate.ts'
import { formatDay, formatDays, formatPercent } from '../../lib/format.ts'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import type { Explanation } from '../../ui/overlay/explain-store.ts'
import { fundOf, type Info } from './fund-types.ts'

type Inputs = NonNullable<Explanation['inputs']>

const shares = (t: Translate, value: string) => <ExactAmount value={value} unit={t('finance.shareUnit')} />

const fundInputs = (t: Translate, { fund }: Info): Inputs => [
  { label: t('finance.fundAssets'), value: usdt(fund.assets) },
  { label: t('finance.fundShares'), value: shares(t, fund.shares) },
]

export const explainTotal = (t: Translate, info: Info): Explanation => ({
  title: t('finance.total'),
  value: usdt(info.total),
  text: t('finance.totalFrom'),
  inputs: [
    { label: t('finance.shares'), value: shares(t, info.shares) },
    ...fundInputs(t, info),
    recomputedInput(t, worthOf(toBaseUnits(info.shares), fundOf(info.fund)), info.total),
  ],
})

export const explainPrice = (t: Translate, info: Info): Explanation => ({
  title: t('finance.price'),
  value: usdt(info.price),
  text: t('finance.priceFrom'),
  inputs: [...fundInputs(t, info), recomputedInput(t, sharePrice(fundOf(info.fund)), info.price)],
})

/** From the two closes that the rate was taken from. */
export function explainRate(t: Translate, language: Language, { rate, rateDays, rateCloses }: Info): Explanation {
  const text = t('finance.rateFrom')
  if (rate === null || rateCloses === null || rateDays < 1) return { title: t('finance.rate'), text }
  const tag = languageTag[language]
  const priceOf = (close: (typeof rateCloses)['first']) => sharePrice(fundOf(close))
  const [first, last] = [priceOf(rateCloses.first), priceOf(rateCloses.last)]
  const here = fromBaseUnits(fundRate(first, last, rateDays), RATE_DECIMALS)
  const input = ({ day }: (typeof rateCloses)['first'], price: bigint) => ({
    label: t('finance.priceOn', { day: formatDay(day, tag) }),
    value: usdt(fromBaseUnits(price)),
  })
  return {
    title: t('finance.rate'),
    value: formatPercent(rate, 4),
    text,
    inputs: [
      input(rateCloses.first, first),
      input(rateCloses.last, last),
      { label: t('finance.rateDays'), value: formatDays(rateDays, tag) },
      {
        label: here === rate ? t('loans.recomputed') : t('loans.recomputedOther'),
        value: formatPercent(here, 4),
      },
    ],
  }
}

export const explainYesterday = (t: Translate, { yesterday }: Info): Explanation => ({
  title: t('finance.yesterday'),
  value: usdt(yesterday),
  text: t('finance.yesterdayFrom'),
})

export const explainCumulative = (t: Translate, { cumulative, paidAhead }: Info): Explanation => ({
  title: t('finance.cumulative'),
  value: usdt(cumulative),
  text: t('finance.cumulativeFrom'),
  inputs: [{ label: t('finance.ofRunningDay'), value: usdt(paidAhead) }],
})

export const explainIn = (t: Translate, { transferableIn, available }: Info): Explanation => ({
  title: t('finance.transferableIn'),
  value: usdt(transferableIn),
  text: t('finance.transferableInFrom'),
  inputs: [{ label: t('finance.available'), value: usdt(available) }],
})

export const explainOut = (t: Translate, { transferableOut, total, idle }: Info): Explanation => ({
  title: t('finance.transferableOut'),
  value: usdt(transferableOut),
  text: t('finance.transferableOutFrom'),
  inputs: [
    { label: t('finance.total'), value: usdt(total) },
    { label: t('finance.idle'), value: usdt(idle) },
  ],
})

export const explainIdle = (t: Translate, { idle }: Info): Explanation => ({
  title: t('finance.idle'),
  value: usdt(idle),
  text: t('finance.idleFrom'),
})

export const explainLent = (t: Translate, { lent }: Info): Explanation => ({
  title: t('finance.lent'),
  value: usdt(lent),
  text: t('finance.lentFrom'),
})

export const explainPending = (t: Translate, { pending }: Info): Explanation => ({
  title: t('finance.pending'),
  value: usdt(pending),
  text: t('finance.pendingFrom'),
})

export const explainReserve = (t: Translate, { reserve, reserveShare }: Info): Explanation => ({
  title: t('finance.reserve'),
  value: usdt(reserve),
  text: t('finance.reserveFrom', { share: formatPercent(reserveShare) }),
})
