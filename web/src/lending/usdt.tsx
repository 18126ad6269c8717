import { ExactAmount } from '../ui/amount/exact-amount.tsx'

/** An amount of USDT to its last unit. */
export const usdt = (value: string | bigint) => <ExactAmount value={value} unit="USDT" />
