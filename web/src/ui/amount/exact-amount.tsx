import { formatAmount } from '../../lib/format.ts'
import './exact-amount.css'

type Props = { value: string | bigint; unit: string; isGain?: boolean }

/** A figure to its last unit. Its unit may need a second line, its digits only where they are wider than the screen. */
export const ExactAmount = ({ value, unit, isGain = false }: Props) => (
  <span className="exact-amount">
    <span className="exact-digits">
      {isGain && '+'}
      {formatAmount(value, 18)}
    </span>{' '}
    <span className="amount-unit">{unit}</span>
  </span>
)
