import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { listNotices } from './list-notices.ts'
import { readNotices } from './read-notices.ts'

export function noticeHandlers({ db }: { db: Database }): Handlers<'GET notice/list' | 'POST notice/read'> {
  return {
    'GET notice/list': ({ cursor, limit }, { memberId }) => listNotices(db, memberId, { cursor, limit }),
    'POST notice/read': async ({ id }, { memberId, now }) => ({ unread: await readNotices(db, { id, memberId, now }) }),
  }
}
