import type { Database } from '../../db/open.ts'
import { pageQuery } from '../../db/page.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { type AveragePrices, getInfo } from './get-info.ts'
import { listReferrals } from './list-referrals.ts'
import { updateJuUid } from './update-ju-uid.ts'

export type MemberDeps = { db: Database; averagePrices: AveragePrices }

export function memberHandlers(
  deps: MemberDeps,
): Handlers<'GET user/info' | 'GET user/zhiList' | 'POST user/updateJuUid'> {
  return {
    'GET user/info': (_input, { memberId, now }) => getInfo(deps, memberId, now),
    'GET user/zhiList': (input, { memberId }) => listReferrals(deps.db, memberId, pageQuery(input)),
    'POST user/updateJuUid': async ({ juUid }, { memberId }) => {
      await updateJuUid(deps.db, memberId, juUid)
      return { juUid: juUid.toString() }
    },
  }
}
