import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import type { ReactNode } from 'react'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatMonthDay } from '../../lib/format.ts'
import { type PastPrice, priceLines } from './price-lines.ts'
import './price-history.css'

type Props = {
  asset: CollateralAsset
  price: string
  safetyPrice: string | null
  liquidationPrice: string
  /** Shown while too little was observed for a picture, or none can be read. */
  otherwise: ReactNode
}

/** New points come each quarter of an hour. */
const FRESH_MS = 60_000

/** The price of the last days with the two lines that it must stay above. What it shows is said in words above it. */
export function PriceHistory({ asset, price, safetyPrice, liquidationPrice, otherwise }: Props) {
  const { t, language } = useTranslation()
  const { data } = useRead('GET user/priceHistory', { asset, days: '7' }, { pollMs: () => FRESH_MS })
  const past: PastPrice[] = (data?.items ?? []).map((item) => ({
    at: Date.parse(item.at),
    price: toBaseUnits(item.price),
    lowest: toBaseUnits(item.lowest),
    highest: toBaseUnits(item.highest),
  }))
  const [first, last] = [past[0], past.at(-1)]
  if (first === undefined || last === undefined || past.length < 2) return otherwise
  const lines = priceLines(past, {
    price: toBaseUnits(price),
    safety: safetyPrice === null ? null : toBaseUnits(safetyPrice),
    clearing: toBaseUnits(liquidationPrice),
  })
  const tag = languageTag[language]
  return (
    <figure className="price-history" aria-hidden="true">
      <div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <rect data-zone="bad" x="0" width="100" y={lines.clearing} height={100 - lines.clearing} />
          {lines.safety !== null && lines.safety < lines.clearing && (
            <rect data-zone="warning" x="0" width="100" y={lines.safety} height={lines.clearing - lines.safety} />
          )}
          {lines.safety !== null && <Level y={lines.safety} zone="warning" />}
          <Level y={lines.clearing} zone="bad" />
          <polygon points={through(lines.range)} />
          <polyline points={`${through(lines.prices)} 100,${lines.now}`} />
        </svg>
        <i style={{ top: `${lines.now}%` }} />
      </div>
      <figcaption>
        <span>{formatMonthDay(first.at, tag)}</span>
        <span>{t('loans.priceNow')}</span>
      </figcaption>
    </figure>
  )
}

const through = (points: readonly { x: number; y: number }[]) => points.map(({ x, y }) => `${x},${y}`).join(' ')

const Level = ({ y, zone }: { y: number; zone: 'warning' | 'bad' }) => (
  <line data-zone={zone} x1="0" x2="100" y1={y} y2={y} />
)
