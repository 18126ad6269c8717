import { amountParts } from '../../lib/format.ts'

type Props = {
  /** Decimal text in whole units, or base units. */
  value: string | bigint
  unit?: string
  /** Decimals shown at most and at least; the rest is cut. */
  digits?: number
  minDigits?: number
}

/** An amount with its unit small. The whole is read out as one figure. */
export function Amount({ value, unit, digits = 4, minDigits = 0 }: Props) {
  const { sign, whole, fraction } = amountParts(value, digits, minDigits)
  return (
    <span className="amount">
      <span className="amount-figure">
        {sign}
        {whole}
        {fraction !== '' && <span className="amount-fraction">.{fraction}</span>}
      </span>
      {unit !== undefined && unit !== '' && <span className="amount-unit"> {unit}</span>}
    </span>
  )
}
