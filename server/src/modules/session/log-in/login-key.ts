import type { Database } from '../../../db/open.ts'

/** Reads what login messages are proved with, once it is needed, and keeps it: it never changes. */
export function loginKeyOf(db: Database): () => Promise<Buffer> {
  let known: Buffer | undefined
  return async () => {
    known ??= (await db.selectFrom('login_key').select('key').executeTakeFirstOrThrow()).key
    return known
  }
}
