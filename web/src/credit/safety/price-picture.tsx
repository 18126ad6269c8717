import { fallTo } from '@candela/protocol/credit/lines'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatPercent, formatPrice } from '../../lib/format.ts'
import { pricePlaces } from './price-places.ts'
import './price-picture.css'

type Props = { asset: string; price: string; safetyPrice: string | null; liquidationPrice: string }

const across = (from: number, to: number) => ({ insetInlineStart: `${from}%`, width: `${to - from}%` })

/** How far a price is from the ones at which something happens: one sentence and one picture of the same. */
export function PricePicture({ asset, price, safetyPrice, liquidationPrice }: Props) {
  const { t } = useTranslation()
  const places = pricePlaces({ price, safetyPrice, liquidationPrice })
  const fall = fallTo(toBaseUnits(price), toBaseUnits(liquidationPrice))
  const values = { asset, price: formatPrice(price), line: formatPrice(liquidationPrice) }
  return (
    <div className="price-picture">
      <p className="price-sentence" data-reached={fall === 0n || undefined}>
        {fall === 0n
          ? t('credit.fallReached', values)
          : t('credit.fall', { ...values, fall: formatPercent(fromBaseUnits(fall, RATE_DECIMALS), 1) })}
      </p>
      <div className="price-axis" aria-hidden="true">
        <span data-zone="bad" style={across(0, places.clearing)} />
        <span data-zone="warning" style={across(places.clearing, Math.max(places.clearing, places.safety))} />
        <span data-zone="good" style={across(Math.max(places.clearing, places.safety), 100)} />
        <i style={{ insetInlineStart: `${places.price}%` }} />
      </div>
      <ul className="price-legend">
        <li data-zone="bad">
          {t('credit.liquidationPrice')} <b>{formatPrice(liquidationPrice)}</b>
        </li>
        {safetyPrice !== null && (
          <li data-zone="warning">
            {t('credit.safetyPrice')} <b>{formatPrice(safetyPrice)}</b>
          </li>
        )}
        <li data-zone="now">
          {t('credit.priceNow')} <b>{formatPrice(price)}</b>
        </li>
      </ul>
    </div>
  )
}
