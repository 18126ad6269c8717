import type { Tx } from '../db/open.ts'
import type { Output } from './print.ts'

/** Does one command: its words and input are written down in the transaction that does the work. */
export type Run = (
  command: string,
  input: Readonly<Record<string, unknown>>,
  work: (tx: Tx, now: Date, operator: string) => Promise<Output>,
) => Promise<void>
