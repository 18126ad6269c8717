import { formatAmount } from '../../lib/format.ts'
import './exact-amount.css'

/** A figure to its last unit, which may need a second line. */
export const ExactAmount = ({ value, unit }: { value: string | bigint; unit: string }) => (
  <span className="exact-amount">
    {formatAmount(value, 18)} <span className="amount-unit">{unit}</span>
  </span>
)
