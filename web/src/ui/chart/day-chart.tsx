import { languageTag } from '@candela/protocol/language'
import { formatDay, formatMonthDay } from '../../lib/format.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { dayPoints } from './day-points.ts'
import { SliderPicture } from './slider-picture.tsx'
import './day-chart.css'

export type DayValue = {
  day: string
  /** In base units; only its place in the picture is computed from it. */
  value: bigint
  /** The figure in words. */
  text: string
  /** The point stands out, such as a loss. */
  marked?: boolean
}

type Props = {
  /** Oldest first, a day each; at least two. */
  values: readonly DayValue[]
  /** Bars begin at nothing, a line at the lowest value. */
  look: 'line' | 'bars'
  picked: string | null
  pick: (day: string) => void
  /** Between the first and the last day, such as the lowest and the highest value. */
  note?: string
}

const size = { width: 320, height: 96 }
/** The height of the smallest amount that is not zero, so that it differs from none. */
const MIN_BAR = 2

/**
 * A figure of each day, of which a slider picks one. A table beside it (`DayTable`) has all of them.
 */
export function DayChart({ values, look, picked, pick, note }: Props) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const last = values.length - 1
  const found = values.findIndex(({ day }) => day === picked)
  const shown = found < 0 ? last : found
  const points = dayPoints(
    values.map(({ value }) => value),
    look === 'bars' ? { ...size, lowest: 0n } : size,
  )
  const dotAt = (nth: number) => {
    const { x, y } = points[nth]!
    return { x: (x / size.width) * 100, y: (y / size.height) * 100, marked: values[nth]!.marked }
  }
  const marked = values.flatMap((value, nth) => (value.marked === true ? [dotAt(nth)] : []))
  return (
    <SliderPicture
      viewBox={`0 0 ${size.width} ${size.height}`}
      look={look}
      dots={look === 'line' ? [...marked, { ...dotAt(shown), marked: false }] : marked}
      count={values.length}
      shown={shown}
      pick={(nth) => pick(values[nth]!.day)}
      label={t('chart.pickDay')}
      said={`${formatDay(values[shown]!.day, tag)}: ${values[shown]!.text}`}
      axis={[formatMonthDay(Date.parse(values[0]!.day), tag), note, formatMonthDay(Date.parse(values[last]!.day), tag)]}
    >
      {look === 'line' ? (
        <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      ) : (
        <>
          <path d={barsOf(values, points)} />
          <path data-picked d={barsOf(values, points, shown)} />
        </>
      )}
    </SliderPicture>
  )
}

/** All bars, or one, as one path: a picture of a year is three elements. */
function barsOf(values: readonly DayValue[], points: ReturnType<typeof dayPoints>, only?: number): string {
  const width = size.width / values.length
  const bar = width * 0.7
  return points
    .flatMap(({ y }, nth) => {
      if ((only !== undefined && nth !== only) || values[nth]!.value === 0n) return []
      const top = Math.min(y, size.height - MIN_BAR)
      return [
        `M${(nth * width + (width - bar) / 2).toFixed(2)} ${size.height}V${top.toFixed(1)}h${bar.toFixed(2)}V${size.height}z`,
      ]
    })
    .join('')
}
