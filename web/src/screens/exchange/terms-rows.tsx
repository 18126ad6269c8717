import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatPrice } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'
import { agreedMin, type Quote } from './exchange-flow.ts'
import { explainFee, explainMin, explainRate, percentOf } from './explain-terms.tsx'

/** Rate, fee and the minimum that is received, each with where it comes from. */
export function TermsRows({ quote, children }: { quote: Quote; children?: ReactNode }) {
  const { t, language } = useTranslation()
  const { from, to, rate, prices, fee, feePpm, discountPercent, level } = quote
  const priced = prices.from.side === 'unit' ? prices.to : prices.from
  const min = agreedMin(quote)
  return (
    <dl className="rows">
      <Row
        label={t('exchange.rate')}
        value={<span className="exchange-rate">{`1 ${from} = ${formatPrice(rate)} ${to}`}</span>}
        note={priced.side === 'spot' ? t('exchange.atSpot') : t('exchange.atAverage')}
        from={explainRate(t, language, quote)}
      />
      <Row
        label={t('exchange.fee')}
        value={<Amount value={fee} unit={to} digits={6} />}
        note={
          discountPercent > 0
            ? t('exchange.feeNoteLess', { rate: percentOf(feePpm), level: `V${level}`, discount: discountPercent })
            : percentOf(feePpm)
        }
        from={explainFee(t, quote)}
      />
      <Row
        label={t('exchange.minimum')}
        value={<Amount value={min} unit={to} digits={6} />}
        from={explainMin(t, min, to)}
      />
      {children}
    </dl>
  )
}
