import { fromBaseUnits } from '@candela/protocol/money/money'
import './slider.css'

type Props = {
  label: string
  /** Base units. */
  min?: bigint
  max: bigint
  value: bigint | null
  unit: string
  /** Smallest part of a whole unit that the slider chooses, as decimals; the field beside it takes all of them. */
  decimals?: number
  onChange: (typed: string) => void
}

const STEPS = 200

/** A quick way to an amount, always beside the field that shows it: what is chosen here is written there. */
export function AmountSlider({ label, min = 0n, max, value, unit, decimals = 4, onChange }: Props) {
  const range = max > min ? max - min : 0n
  const inside = value === null || value < min ? min : value > max ? max : value
  const step = range === 0n ? 0 : Number(((inside - min) * BigInt(STEPS)) / range)
  const choose = (next: number) => {
    // Both ends exactly; between them a round number.
    const exact = min + (range * BigInt(next)) / BigInt(STEPS)
    const grain = 10n ** BigInt(18 - decimals)
    const round = exact - (exact % grain)
    onChange(fromBaseUnits(next === STEPS ? max : round < min ? min : round))
  }
  return (
    <input
      className="slider"
      type="range"
      min={0}
      max={STEPS}
      value={step}
      disabled={range === 0n}
      aria-label={label}
      aria-valuetext={`${fromBaseUnits(inside)} ${unit}`}
      onChange={(event) => choose(Number(event.target.value))}
    />
  )
}
