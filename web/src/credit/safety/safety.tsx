import { mortgageRate } from '@candela/protocol/credit/lines'
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
  if (status === null) return <span className="absent">{t('credit.noPrice')}</span>
  return <Status tone={tones[status]}>{t(`credit.status.${status}`)}</Status>
}

/** Where a price was read, and the two figures that the one in use was chosen from. */
export const priceInputs = (t: Translate, language: Language, price: CollateralPrice): Inputs => [
  { label: t('credit.priceUsed', { asset: price.asset }), value: usdt(price.used) },
  { label: t('credit.priceSpot'), value: usdt(price.spot) },
  // A line is watched at the median of five minutes, which has no averages of days beside it.
  { label: t(price.dayAverage === null ? 'credit.priceMedian' : 'credit.priceAverage'), value: usdt(price.average) },
  ...(price.dayAverage === null ? [] : [{ label: t('credit.priceDay'), value: usdt(price.dayAverage) }]),
  ...(price.weekAverage === null ? [] : [{ label: t('credit.priceWeek'), value: usdt(price.weekAverage) }]),
  {
    label: t('credit.priceSeen'),
    value: `#${price.blockNumber} · ${formatTime(price.observedAt, languageTag[language])}`,
  },
  { label: t('credit.pricePair'), value: <code>{shorten(price.pair)}</code> },
]

/** A debt with what secures it, in USDT and in the collateral's asset. */
type Secured = { debt: bigint; collateral: bigint; asset: string }

export function explainRate(t: Translate, language: Language, safety: Safety, secured?: Secured): Explanation {
  const { mortgageRate: rate, price } = safety
  const text = t('credit.rateFrom')
  if (rate === null || price === null) return { title: t('credit.rate'), text }
  const here = secured === undefined ? null : mortgageRate(secured, toBaseUnits(price.used))
  const ppm = here === null ? null : fromBaseUnits(here, RATE_DECIMALS)
  return {
    title: t('credit.rate'),
    value: formatPercent(rate, 4),
    text,
    inputs: [
      ...(secured === undefined
        ? []
        : [
            { label: t('credit.debt'), value: usdt(secured.debt) },
            { label: t('credit.collateral'), value: <ExactAmount value={secured.collateral} unit={secured.asset} /> },
          ]),
      ...priceInputs(t, language, price),
      ...(ppm === null
        ? []
        : [
            {
              label: toBaseUnits(ppm) === toBaseUnits(rate) ? t('credit.recomputed') : t('credit.recomputedOther'),
              value: formatPercent(ppm, 4),
            },
          ]),
    ],
  }
}

export const explainLiquidationPrice = (t: Translate, price: string): Explanation => ({
  title: t('credit.liquidationPrice'),
  value: usdt(price),
  text: t('credit.liquidationPriceFrom'),
})

export const explainSafetyLine = (t: Translate, value: string): Explanation => ({
  title: t('credit.safetyLine'),
  value: formatPercent(value, 4),
  text: t('credit.safetyLineFrom'),
})

export const explainClearingLine = (t: Translate, value: string): Explanation => ({
  title: t('credit.clearingLine'),
  value: formatPercent(value, 4),
  text: t('credit.clearingLineFrom'),
})
