import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { formatAmount, formatDay } from '../../lib/format.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { DayChart } from '../../ui/chart/day-chart.tsx'
import { DayTable } from '../../ui/chart/day-table.tsx'
import { RangeChoice } from '../../ui/chart/range-choice.tsx'
import { explainPrice } from './explain-fund.tsx'
import type { Info } from './fund-types.ts'

const DIGITS = 8
/** As many closes as the service tells at once. */
const ranges = ['7', '30', '90'] as const

/** The share price at each close. A slider over the picture picks a day; the table below has the same figures. */
export function PriceChart({ info }: { info: Info }) {
  const { t, language } = useTranslation()
  const [picked, setPicked] = useState<string | null>(null)
  const [days, setDays] = useState<(typeof ranges)[number]>('90')
  const tag = languageTag[language]
  const history = info.history.slice(-Number(days))
  const chosen = history.find(({ day }) => day === picked)
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
          <RangeChoice ranges={ranges} value={days} onChange={setDays} />
          <PriceTable history={history} />
        </>
      )}
    </section>
  )
}

const shortOf = (price: bigint) => formatAmount(fromBaseUnits(price), DIGITS)

type PictureProps = { history: Info['history']; picked: string | null; pick: (day: string) => void }

function Picture({ history, picked, pick }: PictureProps) {
  const prices = history.map(({ price }) => toBaseUnits(price))
  const lowest = prices.reduce((least, price) => (price < least ? price : least))
  const highest = prices.reduce((most, price) => (price > most ? price : most))
  return (
    <DayChart
      look="line"
      values={history.map(({ day, price, deficit }, nth) => ({
        day,
        value: prices[nth]!,
        text: `${formatAmount(price, 18)} USDT`,
        marked: deficit !== '0',
      }))}
      picked={picked}
      pick={pick}
      note={`${shortOf(lowest)} – ${shortOf(highest)}`}
    />
  )
}

function PriceTable({ history }: { history: Info['history'] }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  return (
    <DayTable
      heads={[t('finance.day'), t('finance.price'), t('finance.earned'), t('finance.loss')]}
      rows={history.toReversed().map(({ day, price, earned, deficit }) => ({
        key: day,
        cells: [
          formatDay(day, tag),
          formatAmount(price, DIGITS),
          formatAmount(earned, 6),
          deficit === '0' ? '—' : `−${formatAmount(deficit, 6)}`,
        ],
      }))}
    />
  )
}
