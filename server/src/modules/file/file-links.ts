import { hash } from 'node:crypto'
import { codes } from '@candela/protocol/codes/codes'
import { type Language, languageFromHeader } from '@candela/protocol/language'
import { MINUTE_MS } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'
import { AppError } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'

/** How long a token is good. */
export const LINK_MS = 10 * MINUTE_MS

/** The file that a token stands for. `query` are the fields of a form: which lines, and from which place on. */
export type Wanted = { memberId: bigint; file: 'statement' | 'proof'; query: string; lang: Language }

type LinkDeps = { db: Database; ids: IdSource; now: Date }

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

const rowOf = ({ memberId, file, query, lang }: Wanted, token: string, expiresAt: Date) => ({
  member_id: memberId,
  token_hash: hashOf(token),
  file,
  query,
  lang,
  expires_at: expiresAt,
})

/** The one link of the member from now on. Only the caller ever sees its token. */
export async function makeLink(
  { db, ids, now }: LinkDeps,
  wanted: Wanted,
): Promise<{ token: string; expiresAt: Date }> {
  const token = ids.token()
  const expiresAt = new Date(now.getTime() + LINK_MS)
  const { member_id, ...changed } = rowOf(wanted, token, expiresAt)
  await db
    .insertInto('file_link')
    .values({ member_id, ...changed })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(changed))
    .execute()
  return { token, expiresAt }
}

/** Uses a token up. @throws AppError notFound when it was used, has expired, or was replaced */
export async function takeLink({ db, now }: Omit<LinkDeps, 'ids'>, token: string): Promise<Wanted> {
  const row = await db
    .deleteFrom('file_link')
    .where('token_hash', '=', hashOf(token))
    .returning(['member_id', 'file', 'query', 'lang', 'expires_at'])
    .executeTakeFirst()
  if (row === undefined || row.expires_at <= now) throw new AppError(codes.notFound)
  return {
    memberId: row.member_id,
    file: row.file,
    query: row.query,
    lang: languageFromHeader(row.lang),
  }
}

/** The token of what is left of a file. @throws AppError notFound when the member has made another link meanwhile */
export async function goOnWith({ db, ids, now }: LinkDeps, wanted: Wanted): Promise<string> {
  const token = ids.token()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('file_link')
    .values(rowOf(wanted, token, new Date(now.getTime() + LINK_MS)))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError(codes.notFound)
  return token
}
