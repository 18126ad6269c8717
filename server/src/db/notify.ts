import type { NoticeContent } from '@candela/protocol/notices'
import type { Tx } from './open.ts'

/** Something that a member is to be told. The app shows it in the reader's language. */
export type Notice = NoticeContent & {
  memberId: bigint
  /** What it tells of, such as "withdrawal:20260101ABC:done": each member is told of it once. */
  source: string
  at: Date
}

/**
 * Writes notices in the transaction of what they tell, so that neither is without the other. One statement for any
 * number; one that was written before is left as it is. Passed to modules as a parameter.
 */
export type Notify = (tx: Tx, ...notices: readonly Notice[]) => Promise<void>
