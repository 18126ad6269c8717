import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { type AveragePrices, getInfo } from './get-info.ts'
import { updateJuUid } from './update-ju-uid.ts'

export type MemberDeps = { db: Database; averagePrices: AveragePrices }

export function memberHandlers(deps: MemberDeps): Handlers<'GET user/info' | 'POST user/updateJuUid'> {
  return {
    'GET user/info': (_input, { memberId, now }) => getInfo(deps, memberId, now),
    'POST user/updateJuUid': async ({ juUid }, { memberId }) => {
      await updateJuUid(deps.db, memberId, juUid)
      return { juUid: juUid.toString() }
    },
  }
}
