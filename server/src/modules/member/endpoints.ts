import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { type AveragePrices, getInfo } from './get-info.ts'

export type MemberDeps = { db: Database; averagePrices: AveragePrices }

export function memberHandlers(deps: MemberDeps): Handlers<'GET user/info'> {
  return {
    'GET user/info': (_input, { memberId, now }) => getInfo(deps, memberId, now),
  }
}
