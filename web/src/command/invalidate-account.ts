import { invalidate, type ReadKey } from '../api/use-read.ts'

/** Invalidates the queries that any movement of money changes, and those that this one changes besides. */
export const invalidateAccount = (...besides: readonly ReadKey[]): Promise<void> =>
  invalidate('GET user/info', 'GET statement/list', 'GET notice/list', ...besides)
