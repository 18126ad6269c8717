import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits, mulDiv, toBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatAmount, formatTime } from '../../lib/format.ts'

type Price = Data<'GET user/priceInfo'>['items'][number]
type Balance = Data<'GET user/info'>['balances'][number]

/** One asset: what can be spent, what is set aside, and what both are worth at which price. */
export function Asset({ balance: { asset, available, held }, price }: { balance: Balance; price: Price | undefined }) {
  const { t, language } = useTranslation()
  const average = price?.average ?? null
  const all = toBaseUnits(available) + toBaseUnits(held)
  // As the server sums it up: rounded down, in base units.
  const worth = average === null ? null : fromBaseUnits(mulDiv(all, toBaseUnits(average), WHOLE_UNIT))
  const showDetails = () =>
    explain({
      title: asset,
      value: <ExactAmount value={all} unit={asset} />,
      text: held === '0' ? t('mine.balanceFrom') : `${t('mine.balanceFrom')} ${t('mine.heldFrom')}`,
      inputs: [
        { label: t('mine.available'), value: <Amount value={available} unit={asset} digits={18} /> },
        { label: t('mine.held'), value: <Amount value={held} unit={asset} digits={18} /> },
        ...(price === undefined || asset === 'USDT'
          ? []
          : [
              {
                label: t('mine.average', { minutes: Math.round(price.windowSeconds / 60) }),
                value: average === null ? '—' : <Amount value={average} unit="USDT" digits={10} />,
              },
              {
                label: t('mine.spot'),
                value: price.spot === null ? '—' : <Amount value={price.spot} unit="USDT" digits={10} />,
              },
              {
                label: t('mine.observed'),
                value: price.observedAt === null ? '—' : formatTime(price.observedAt, languageTag[language]),
              },
            ]),
      ],
    })
  return (
    <button type="button" className="mine-asset" data-asset={asset} onClick={showDetails}>
      <span className="mine-asset-name">{asset}</span>
      <span className="mine-asset-amount">
        <Amount value={available} digits={6} />
      </span>
      <span className="mine-asset-note">
        {held !== '0' && (
          <>
            {t('mine.held')} <Amount value={held} digits={6} />
          </>
        )}
      </span>
      <span className="mine-asset-note">{worth !== null && t('mine.worth', { worth: formatAmount(worth, 2) })}</span>
    </button>
  )
}
