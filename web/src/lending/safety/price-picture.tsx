import { fallTo } from '@candela/protocol/lending/lines'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatPercent, formatPrice } from '../../lib/format.ts'
import { Legend } from './legend.tsx'
import { PriceHistory } from './price-history.tsx'
import { pricePlaces } from './price-places.ts'
import './price-picture.css'

type Prices = { price: string; safetyPrice: string | null; liquidationPrice: string }
type Props = Prices & { asset: CollateralAsset }

const across = (from: number, to: number) => ({ insetInlineStart: `${from}%`, width: `${to - from}%` })

/** How far a price is from the ones at which something happens: one sentence, and the price of the last days above both lines. */
export function PricePicture({ asset, price, safetyPrice, liquidationPrice }: Props) {
  const { t } = useTranslation()
  const fall = fallTo(toBaseUnits(price), toBaseUnits(liquidationPrice))
  const values = { asset, price: formatPrice(price), line: formatPrice(liquidationPrice) }
  const prices = { price, safetyPrice, liquidationPrice }
  return (
    <div className="price-picture">
      <p className="price-sentence" data-reached={fall === 0n || undefined}>
        {fall === 0n
          ? t('loans.fallReached', values)
          : t('loans.fall', { ...values, fall: formatPercent(fromBaseUnits(fall, RATE_DECIMALS), 1) })}
      </p>
      <PriceHistory asset={asset} {...prices} otherwise={<PriceAxis {...prices} />} />
      <Legend
        unit="USDT"
        parts={[
          { zone: 'bad', label: t('loans.liquidationPrice'), value: formatPrice(liquidationPrice) },
          ...(safetyPrice === null
            ? []
            : [{ zone: 'warning' as const, label: t('loans.safetyPrice'), value: formatPrice(safetyPrice) }]),
          { zone: 'now', label: t('loans.priceNow'), value: formatPrice(price) },
        ]}
      />
    </div>
  )
}

/** The same without a past: where the price stands between nothing and a little above it. */
function PriceAxis(prices: Prices) {
  const places = pricePlaces(prices)
  return (
    <div className="price-axis" aria-hidden="true">
      <span data-zone="bad" style={across(0, places.clearing)} />
      <span data-zone="warning" style={across(places.clearing, Math.max(places.clearing, places.safety))} />
      <span data-zone="good" style={across(Math.max(places.clearing, places.safety), 100)} />
      <i style={{ insetInlineStart: `${places.price}%` }} />
    </div>
  )
}
