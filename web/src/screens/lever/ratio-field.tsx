import { MAX_RATIO_TENTHS, MIN_RATIO_TENTHS, riskOf } from '@candela/protocol/lending/lever/leverage'
import { useId } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { RiskLabel } from './risk-label.tsx'
import '../../ui/amount/slider.css'
import { ratioText } from './use-lever-quote.ts'

/** `max`: the greatest ratio possible now, in tenths. */
type Props = { tenths: number; max: number; onChange: (tenths: number) => void }

/** How many times the margin is invested. The number stands above the slider and can be stepped by tenths. */
export function RatioField({ tenths, max, onChange }: Props) {
  const { t } = useTranslation()
  const within = (wanted: number) => Math.max(MIN_RATIO_TENTHS, Math.min(max, wanted))
  const id = useId()
  return (
    <div className="lever-ratio">
      <div className="lever-ratio-head">
        <label htmlFor={id}>{t('lever.ratio')}</label>
        <RiskLabel risk={riskOf(tenths)} />
      </div>
      <div className="lever-ratio-number">
        <button
          type="button"
          className="icon-button"
          aria-label={t('ui.less')}
          aria-disabled={tenths <= MIN_RATIO_TENTHS}
          onClick={() => onChange(within(tenths - 1))}
        >
          <Icon name="minus" />
        </button>
        <output htmlFor={id}>{t('lever.times', { ratio: ratioText(tenths) })}</output>
        <button
          type="button"
          className="icon-button"
          aria-label={t('ui.more')}
          aria-disabled={tenths >= max}
          onClick={() => onChange(within(tenths + 1))}
        >
          <Icon name="plus" />
        </button>
      </div>
      <input
        id={id}
        className="slider"
        type="range"
        min={MIN_RATIO_TENTHS}
        max={max}
        value={tenths}
        aria-valuetext={t('lever.times', { ratio: ratioText(tenths) })}
        onChange={(event) => onChange(within(Number(event.target.value)))}
      />
      <p className="lever-ratio-ends" aria-hidden="true">
        <span>{t('lever.lowRisk')}</span>
        <span>{t('lever.highRisk')}</span>
      </p>
      {max < MAX_RATIO_TENTHS && <p className="small">{t('lever.maxRatio', { ratio: ratioText(max) })}</p>}
    </div>
  )
}
