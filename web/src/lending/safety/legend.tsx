import './legend.css'

type Part = { zone: 'good' | 'warning' | 'bad' | 'now'; label: string; value: string }

/** Explains the colours of a picture, side by side, each with its figure. */
export const Legend = ({ parts, unit }: { parts: readonly Part[]; unit?: string }) => (
  <dl className="legend">
    {parts.map(({ zone, label, value }) => (
      <div key={label} data-zone={zone}>
        <dt>{label}</dt>
        <dd>
          {value} {unit !== undefined && <span className="amount-unit">{unit}</span>}
        </dd>
      </div>
    ))}
  </dl>
)
