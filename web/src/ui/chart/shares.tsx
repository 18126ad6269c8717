import { formatPercent } from '../../lib/format.ts'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sharePercents } from './share-percents.ts'
import './shares.css'

type Part = { label: string; value: bigint; text?: string }

/** The decimals of tenths of a percent, as a fraction of one. */
const TENTHS_DECIMALS = 3

/** Shows what a whole is made of: a bar in parts, and each part with its name and its percent. Nothing is shown of an empty whole. */
export function Shares({ label, parts }: { label: string; parts: readonly Part[] }) {
  const filled = parts.filter(({ value }) => value > 0n)
  if (filled.length === 0) return null
  const percents = sharePercents(filled.map(({ value }) => value))
  const shown = filled.map((part, index) => ({ ...part, tenths: percents[index] ?? 0n }))
  return (
    <figure className="shares" aria-label={label}>
      <div className="shares-bar" aria-hidden="true">
        {shown.map(({ label: name, tenths }) => (
          <span key={name} style={{ flexGrow: Number(tenths) }} />
        ))}
      </div>
      <ul>
        {shown.map(({ label: name, tenths, text }) => (
          <li key={name}>
            {name} <b>{formatPercent(fromBaseUnits(tenths, TENTHS_DECIMALS), 1)}</b>
            {text !== undefined && <span className="muted"> {text}</span>}
          </li>
        ))}
      </ul>
    </figure>
  )
}
