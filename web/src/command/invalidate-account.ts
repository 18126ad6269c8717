import { invalidate, type ReadKey } from '../api/use-read.ts'

/** What every movement of money changes is asked for again, and what this one changes besides. */
export const invalidateAccount = (...besides: readonly ReadKey[]): Promise<void> =>
  invalidate('GET user/info', 'GET statement/list', 'GET notice/list', ...besides)
