import { languageTag, type Language } from '@candela/protocol/language'
import { exchangeAt } from '@candela/protocol/money/exchange'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import type { Translate } from '../../i18n/translate.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import type { Explanation } from '../../ui/overlay/explain-store.ts'
import { formatPercent, formatTime, shorten } from '../../lib/format.ts'
import type { Quote } from './exchange-flow.ts'

/** The fields that a quote and an exchange have in common. */
export type Terms = Omit<Quote, 'quoteNo' | 'expiresAt' | 'hourLeft'>
type DeskPrice = Terms['prices']['from']
type Inputs = NonNullable<Explanation['inputs']>

export const percentOf = (ppm: number): string => formatPercent(fromBaseUnits(BigInt(ppm), 6), 4)

/** The same formula on this device, from the published inputs alone. */
const recomputed = ({ amountIn, prices, feePpm }: Terms) =>
  exchangeAt({
    amountIn: toBaseUnits(amountIn),
    fromPrice: toBaseUnits(prices.from.used),
    toPrice: toBaseUnits(prices.to.used),
    feePpm: BigInt(feePpm),
  })

export function explainReceived(t: Translate, terms: Terms, isDone = false): Explanation {
  const { from, to, amountIn, amountOut, feePpm, prices } = terms
  const here = recomputed(terms).received
  return {
    title: isDone ? t('exchange.got') : t('exchange.received'),
    value: <ExactAmount value={amountOut} unit={to} />,
    text: t('exchange.receivedFrom'),
    inputs: [
      { label: t('exchange.paid'), value: <ExactAmount value={amountIn} unit={from} /> },
      ...usedPrices(t, prices.from, prices.to),
      { label: t('exchange.feeRate'), value: percentOf(feePpm) },
      {
        label: here === toBaseUnits(amountOut) ? t('exchange.recomputed') : t('exchange.recomputedOther'),
        value: <ExactAmount value={here} unit={to} />,
      },
    ],
  }
}

export function explainFee(t: Translate, terms: Terms): Explanation {
  const { to, fee, baseFeePpm, level, discountPercent, feePpm } = terms
  return {
    title: t('exchange.fee'),
    value: <ExactAmount value={fee} unit={to} />,
    text: t('exchange.feeFrom'),
    inputs: [
      { label: t('exchange.baseFee'), value: percentOf(baseFeePpm) },
      {
        label: t('exchange.discount'),
        value: discountPercent === 0 ? `V${level}` : `V${level} · −${discountPercent}%`,
      },
      { label: t('exchange.feeRate'), value: percentOf(feePpm) },
      {
        label: t('exchange.gross'),
        value: <ExactAmount value={recomputed(terms).gross} unit={to} />,
      },
    ],
  }
}

export function explainRate(t: Translate, language: Language, terms: Terms): Explanation {
  const { from, to, rate, prices } = terms
  return {
    title: t('exchange.rate'),
    value: (
      <>
        1 {from} = <ExactAmount value={rate} unit={to} />
      </>
    ),
    text: t('exchange.rateFrom'),
    inputs: [...priceInputs(t, language, prices.from), ...priceInputs(t, language, prices.to)],
  }
}

export const explainMin = (t: Translate, min: string, unit: string): Explanation => ({
  title: t('exchange.minimum'),
  value: <ExactAmount value={min} unit={unit} />,
  text: t('exchange.minimumFrom'),
})

const usedPrices = (t: Translate, ...prices: DeskPrice[]): Inputs =>
  prices.map(({ asset, used }) => ({
    label: t('exchange.usedPrice', { asset }),
    value: <ExactAmount value={used} unit="USDT" />,
  }))

/** USDT is the unit: there is nothing to look up. */
function priceInputs(t: Translate, language: Language, price: DeskPrice): Inputs {
  const { asset, side, used, average, spot, windowSeconds, pair, blockNumber, observedAt } = price
  if (side === 'unit')
    return [{ label: t('exchange.usedPrice', { asset }), value: <Amount value={used} unit="USDT" /> }]
  const minutes = Math.max(1, Math.round(windowSeconds / 60))
  return [
    {
      label: t('exchange.averageOf', { asset, minutes }),
      value: <ExactAmount value={average} unit="USDT" />,
    },
    { label: t('exchange.spotOf', { asset }), value: <ExactAmount value={spot} unit="USDT" /> },
    {
      label: t('exchange.usedOf', { asset }),
      value: side === 'average' ? t('exchange.sideAverage') : t('exchange.sideSpot'),
    },
    ...(blockNumber === null || observedAt === null
      ? []
      : [
          {
            label: t('exchange.observedOf', { asset }),
            value: `#${blockNumber} · ${formatTime(observedAt, languageTag[language])}`,
          },
        ]),
    ...(pair === null ? [] : [{ label: t('exchange.pairOf', { asset }), value: <code>{shorten(pair)}</code> }]),
  ]
}
