import type { Database } from '../../db/open.ts'
import { pageQuery } from '../../db/page.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { getInfo, sharedAverages } from './get-info.ts'
import { listReferrals } from './list-referrals.ts'
import { updateJuUid } from './update-ju-uid.ts'

export function memberHandlers({
  db,
}: {
  db: Database
}): Handlers<'GET user/info' | 'GET user/zhiList' | 'POST user/updateJuUid'> {
  const averagePrices = sharedAverages(db)
  return {
    'GET user/info': (_input, { memberId, now }) => getInfo({ db, averagePrices }, memberId, now),
    'GET user/zhiList': (input, { memberId }) => listReferrals(db, memberId, pageQuery(input)),
    'POST user/updateJuUid': async ({ juUid }, { memberId }) => {
      await updateJuUid(db, memberId, juUid)
      return { juUid: juUid.toString() }
    },
  }
}
