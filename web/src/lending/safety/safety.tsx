import { mortgageRate } from '@candela/protocol/lending/lines'
import type { Data } from '@candela/protocol/endpoints'
import { languageTag, type Language } from '@candela/protocol/language'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import type { Translate } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatPercent, formatTime, shorten } from '../../lib/format.ts'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import type { Explanation } from '../../ui/overlay/explain-store.ts'
import { Status, type Tone } from '../../ui/state/status.tsx'
import { usdt } from '../usdt.tsx'

type Inputs = NonNullable<Explanation['inputs']>

export type Safety = Data<'GET lending/detail'>['loan']['safety']
export type CollateralPrice = NonNullable<Safety['price']>

const tones = { safe: 'good', warning: 'waiting', liquidating: 'bad' } as const satisfies Record<string, Tone>

/** Safe, above the safety line, or above the clearing line. */
export function SafetyStatus({ status }: { status: Safety['status'] }) {
  const { t } = useTranslation()
  if (status === null) return <span className="absent">{t('loans.noPrice')}</span>
  return <Status tone={tones[status]}>{t(`loans.status.${status}`)}</Status>
}

/** Where a price was read, and the two figures that the one in use was chosen from. */
export const priceInputs = (t: Translate, language: Language, price: CollateralPrice): Inputs => [
  { label: t('loans.priceUsed', { asset: price.asset }), value: usdt(price.used) },
  { label: t('loans.priceSpot'), value: usdt(price.spot) },
  // A line is watched at the median of five minutes, which has no averages of days beside it.
  { label: t(price.dayAverage === null ? 'loans.priceMedian' : 'loans.priceAverage'), value: usdt(price.average) },
  ...(price.dayAverage === null ? [] : [{ label: t('loans.priceDay'), value: usdt(price.dayAverage) }]),
  ...(price.weekAverage === null ? [] : [{ label: t('loans.priceWeek'), value: usdt(price.weekAverage) }]),
  {
    label: t('loans.priceSeen'),
    value: `#${price.blockNumber} · ${formatTime(price.observedAt, languageTag[language])}`,
  },
  { label: t('loans.pricePair'), value: <code>{shorten(price.pair)}</code> },
]

/** A debt with what secures it, in USDT and in the collateral's asset. */
type Secured = { debt: bigint; collateral: bigint; asset: string }

export function explainRate(t: Translate, language: Language, safety: Safety, secured?: Secured): Explanation {
  const { mortgageRate: rate, price } = safety
  const text = t('loans.rateFrom')
  if (rate === null || price === null) return { title: t('loans.rate'), text }
  const here = secured === undefined ? null : mortgageRate(secured, toBaseUnits(price.used))
  const ppm = here === null ? null : fromBaseUnits(here, RATE_DECIMALS)
  return {
    title: t('loans.rate'),
    value: formatPercent(rate, 4),
    text,
    inputs: [
      ...(secured === undefined
        ? []
        : [
            { label: t('loans.debt'), value: usdt(secured.debt) },
            { label: t('loans.collateral'), value: <ExactAmount value={secured.collateral} unit={secured.asset} /> },
          ]),
      ...priceInputs(t, language, price),
      ...(ppm === null
        ? []
        : [
            {
              label: toBaseUnits(ppm) === toBaseUnits(rate) ? t('loans.recomputed') : t('loans.recomputedOther'),
              value: formatPercent(ppm, 4),
            },
          ]),
    ],
  }
}

export const explainLiquidationPrice = (t: Translate, price: string): Explanation => ({
  title: t('loans.liquidationPrice'),
  value: usdt(price),
  text: t('loans.liquidationPriceFrom'),
})

export const explainSafetyLine = (t: Translate, value: string): Explanation => ({
  title: t('loans.safetyLine'),
  value: formatPercent(value, 4),
  text: t('loans.safetyLineFrom'),
})

export const explainClearingLine = (t: Translate, value: string): Explanation => ({
  title: t('loans.clearingLine'),
  value: formatPercent(value, 4),
  text: t('loans.clearingLineFrom'),
})
