import { toBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatPercent } from '../../lib/format.ts'
import { percentOf } from './price-places.ts'
import type { Safety } from './safety.tsx'
import './price-picture.css'

type Props = { rate: string; status: Safety['status']; safetyLine: string; clearingLine: string }

const zones = { safe: 'good', warning: 'warning', liquidating: 'bad' } as const

const place = (fraction: string) => `${percentOf(toBaseUnits(fraction), WHOLE_UNIT)}%`

/** A mortgage rate between nothing and 100 %, with the two lines that it must stay below. */
export function RateBar({ rate, status, safetyLine, clearingLine }: Props) {
  const { t } = useTranslation()
  return (
    <div className="rate-bar">
      <div className="rate-axis" aria-hidden="true">
        <span data-zone={zones[status ?? 'safe']} style={{ width: place(rate) }} />
        <i data-zone="warning" style={{ insetInlineStart: place(safetyLine) }} />
        <i data-zone="bad" style={{ insetInlineStart: place(clearingLine) }} />
      </div>
      <ul className="price-legend">
        <li data-zone={zones[status ?? 'safe']}>
          {t('credit.rateNow')} <b>{formatPercent(rate)}</b>
        </li>
        <li data-zone="warning">
          {t('credit.safetyLine')} <b>{formatPercent(safetyLine)}</b>
        </li>
        <li data-zone="bad">
          {t('credit.clearingLine')} <b>{formatPercent(clearingLine)}</b>
        </li>
      </ul>
    </div>
  )
}
