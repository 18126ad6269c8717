import { toBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatPercent } from '../../lib/format.ts'
import { Legend } from './legend.tsx'
import { percentOf } from './price-places.ts'
import type { Safety } from './safety.tsx'
import './price-picture.css'

type Props = { rate: string; status: Safety['status']; safetyLine: string; clearingLine: string; hasLegend?: boolean }

const zones = { safe: 'good', warning: 'warning', liquidating: 'bad' } as const

const place = (fraction: string) => `${percentOf(toBaseUnits(fraction), WHOLE_UNIT)}%`

/**
 * A mortgage rate between nothing and 100 %, with the two lines that it must stay below. Without a legend where the same
 * figures stand beside it.
 */
export function RateBar({ rate, status, safetyLine, clearingLine, hasLegend = true }: Props) {
  const { t } = useTranslation()
  const zone = zones[status ?? 'safe']
  return (
    <div className="rate-bar">
      <div className="rate-axis" aria-hidden="true">
        <span data-zone={zone} style={{ width: place(rate) }} />
        <i data-zone="warning" style={{ insetInlineStart: place(safetyLine) }} />
        <i data-zone="bad" style={{ insetInlineStart: place(clearingLine) }} />
      </div>
      {hasLegend && (
        <Legend
          parts={[
            { zone, label: t('loans.rateNow'), value: formatPercent(rate) },
            { zone: 'warning', label: t('loans.safetyLine'), value: formatPercent(safetyLine) },
            { zone: 'bad', label: t('loans.clearingLine'), value: formatPercent(clearingLine) },
          ]}
        />
      )}
    </div>
  )
}
