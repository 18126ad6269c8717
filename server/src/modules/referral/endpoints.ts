import type { Database } from '../../db/open.ts'
import { pageQuery } from '../../db/page.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { listReferrals } from './list-referrals.ts'

export function referralHandlers({ db }: { db: Database }): Handlers<'GET user/zhiList'> {
  return {
    'GET user/zhiList': (input, { memberId }) => listReferrals(db, memberId, pageQuery(input)),
  }
}
