import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { languageTag } from '@candela/protocol/language'
import { useState } from 'react'
import { formatMonthDay, formatPercent, formatTime } from '../../lib/format.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { SliderPicture } from '../../ui/chart/slider-picture.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { historyPicture } from './history-picture.ts'
import type { Hours } from './solvency-types.ts'

/** The lowest ratio of each hour of the last seven days, asset by asset; a slider picks an hour. */
export function History({ history }: { history: Hours }) {
  const { t } = useTranslation()
  const [asset, setAsset] = useState<AssetCode>('USDT')
  return (
    <section className="card solvency-history" aria-labelledby="solvency-history">
      <h2 id="solvency-history">{t('solvency.history')}</h2>
      <Segmented look="pills" label={t('solvency.asset')} options={assetCodes} value={asset} onChange={setAsset} />
      <Picture key={asset} history={history} asset={asset} />
    </section>
  )
}

function Picture({ history, asset }: { history: Hours; asset: AssetCode }) {
  const { t, language } = useTranslation()
  const [picked, setPicked] = useState<number | null>(null)
  const tag = languageTag[language]
  const hours = history.flatMap((hour) => {
    const ratio = hour[asset]
    return ratio === null ? [] : [{ at: Date.parse(hour.at), ratio }]
  })
  const [first, last] = [hours[0], hours.at(-1)]
  if (first === undefined || last === undefined || hours.length < 2)
    return <p className="muted small">{t('solvency.noHistory')}</p>
  const { points, pieces, whole } = historyPicture(hours)
  const shown = Math.min(picked ?? hours.length - 1, hours.length - 1)
  const [hour, point] = [hours[shown]!, points[shown]!]
  const said = `${formatTime(new Date(hour.at).toISOString(), tag)} · ${formatPercent(hour.ratio)}`
  return (
    <>
      <p className="solvency-picked">{said}</p>
      <SliderPicture
        viewBox="0 0 100 100"
        look="ratio"
        dots={[point]}
        count={hours.length}
        shown={shown}
        pick={setPicked}
        label={t('solvency.pickHour')}
        said={said}
        axis={[formatMonthDay(first.at, tag), t('solvency.axis'), formatMonthDay(last.at, tag)]}
      >
        <rect x="0" width="100" y={whole} height={100 - whole} />
        <line x1="0" x2="100" y1={whole} y2={whole} />
        {pieces.map((piece) => (
          <polyline key={piece[0]!.x} points={piece.map(({ x, y }) => `${x},${y}`).join(' ')} />
        ))}
      </SliderPicture>
    </>
  )
}
