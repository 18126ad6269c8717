import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { Fold } from '../../credit/fold.tsx'
import { formatAmount, formatDay, formatMonthDay } from '../../lib/format.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import '../../ui/list/figure-table.css'
import { explainPrice } from './explain-fund.tsx'
import type { Info } from './fund-types.ts'
import { pricePoints } from './price-points.ts'

const size = { width: 320, height: 96 }
const DIGITS = 8

/** The share price at each close. A slider over the picture picks a day; the table below has the same figures. */
export function PriceChart({ info }: { info: Info }) {
  const { t, language } = useTranslation()
  const [picked, setPicked] = useState<number | null>(null)
  const { history } = info
  const tag = languageTag[language]
  const chosen = picked === null ? undefined : history[picked]
  return (
    <section className="card fund-chart" aria-label={t('finance.chart')}>
      {chosen === undefined ? (
        <Figure
          size="large"
          label={t('finance.price')}
          value={<Amount value={info.price} unit="USDT" digits={DIGITS} />}
          from={explainPrice(t, info)}
        />
      ) : (
        <Figure
          size="large"
          label={t('finance.priceOn', { day: formatDay(chosen.day, tag) })}
          value={<Amount value={chosen.price} unit="USDT" digits={DIGITS} />}
        />
      )}
      {history.length < 2 ? (
        <p className="muted small">{t('finance.noHistory')}</p>
      ) : (
        <>
          <Picture history={history} picked={picked} pick={setPicked} />
          <PriceTable history={history} />
        </>
      )}
    </section>
  )
}

type PictureProps = { history: Info['history']; picked: number | null; pick: (nth: number) => void }

function Picture({ history, picked, pick }: PictureProps) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const prices = history.map(({ price }) => toBaseUnits(price))
  const points = pricePoints(prices, size)
  const line = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  const last = history.length - 1
  const shown = picked ?? last
  const lowest = prices.reduce((least, price) => (price < least ? price : least))
  const highest = prices.reduce((most, price) => (price > most ? price : most))
  const dayAt = (nth: number) => formatDay(history[nth]!.day, tag)
  const place = ({ x, y }: (typeof points)[number]) => ({
    insetInlineStart: `${(x / size.width) * 100}%`,
    top: `${(y / size.height) * 100}%`,
  })
  return (
    <>
      <div className="fund-picture">
        <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden="true">
          <polyline points={line} />
        </svg>
        {history.map(
          ({ day, deficit }, nth) =>
            deficit !== '0' && <span key={day} className="fund-dot" data-deficit style={place(points[nth]!)} />,
        )}
        <span className="fund-dot" style={place(points[shown]!)} />
        <input
          type="range"
          min={0}
          max={last}
          value={shown}
          aria-label={t('finance.pickDay')}
          aria-valuetext={`${dayAt(shown)}: ${formatAmount(history[shown]!.price, 18)} USDT`}
          onChange={(event) => pick(Number(event.target.value))}
        />
      </div>
      <p className="fund-axis" aria-hidden="true">
        <span>{formatMonthDay(Date.parse(history[0]!.day), tag)}</span>
        <span>
          {formatAmount(fromBaseUnits(lowest), DIGITS)} – {formatAmount(fromBaseUnits(highest), DIGITS)}
        </span>
        <span>{formatMonthDay(Date.parse(history[last]!.day), tag)}</span>
      </p>
    </>
  )
}

function PriceTable({ history }: { history: Info['history'] }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  return (
    <Fold title={t('finance.table')}>
      <div className="figure-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('finance.day')}</th>
              <th scope="col">{t('finance.price')}</th>
              <th scope="col">{t('finance.earned')}</th>
              <th scope="col">{t('finance.loss')}</th>
            </tr>
          </thead>
          <tbody>
            {history.toReversed().map(({ day, price, earned, deficit }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day, tag)}</th>
                <td>{formatAmount(price, DIGITS)}</td>
                <td>{formatAmount(earned, 6)}</td>
                <td>{deficit === '0' ? '—' : `−${formatAmount(deficit, 6)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Fold>
  )
}
