import { formatPercent } from '../../lib/format.ts'
import { fromBaseUnits } from '@candela/protocol/money/money'
import './shares.css'

type Part = { label: string; value: bigint; text?: string }

const PARTS_DECIMALS = 6

/** What a whole is made of: a bar in parts, and each part with its name and its percent. Nothing is shown of an empty whole. */
export function Shares({ label, parts }: { label: string; parts: readonly Part[] }) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0n)
  if (whole <= 0n) return null
  const shown = parts
    .filter(({ value }) => value > 0n)
    .map((part) => ({ ...part, millionths: (part.value * 10n ** BigInt(PARTS_DECIMALS)) / whole }))
  return (
    <figure className="shares" aria-label={label}>
      <div className="shares-bar" aria-hidden="true">
        {shown.map(({ label: name, millionths }) => (
          <span key={name} style={{ flexGrow: Number(millionths) }} />
        ))}
      </div>
      <ul>
        {shown.map(({ label: name, millionths, text }) => (
          <li key={name}>
            {name} <b>{formatPercent(fromBaseUnits(millionths, PARTS_DECIMALS), 1)}</b>
            {text !== undefined && <span className="muted"> {text}</span>}
          </li>
        ))}
      </ul>
    </figure>
  )
}
