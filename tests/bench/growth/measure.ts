import type { Ledger } from './ledger.ts'

/** One thing that is measured, at each size in turns. */
export type Measure = {
  /** The answers of `once`, in this order. */
  figures: readonly { name: string; unit: string }[]
  /** Whether a round that does not count comes first. */
  isWarmed: boolean
  rounds: number
  /** Before the first round at a size; its time does not count. */
  prepare?: (ledger: Ledger) => Promise<void>
  once: (ledger: Ledger) => Promise<number[]>
}
