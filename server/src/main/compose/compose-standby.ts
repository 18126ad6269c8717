import type { Database } from '../../db/open.ts'
import type { StandbyReads } from '../../db/standby/standby.ts'
import type { ContextOf, Handlers, SessionContext } from '../../kernel/handler.ts'
import type { HandlerInput } from '@candela/protocol/endpoints'
import { fundHandlers } from '../../modules/fund/endpoints.ts'
import { isCharged } from '../../modules/lending/loan/daily/is-charged.ts'
import { incomeHandlers } from '../../modules/income/endpoints.ts'
import { listReferrals } from '../../modules/member/list-referrals.ts'
import { noticeHandlers } from '../../modules/notice/endpoints.ts'
import { listPowerLog } from '../../modules/power/holdings/list-power-log.ts'
import { pageQuery } from '../../db/page.ts'
import { rankingHandlers } from '../../modules/ranking/endpoints.ts'
import { statementHandlers } from '../../modules/statement/endpoints.ts'
import { listTransfers } from '../../modules/transfer/list-transfers.ts'

type ListKey =
  | 'GET statement/list'
  | 'GET statement/csv'
  | 'GET user/incomeList'
  | 'GET user/powerLog'
  | 'GET user/zhiList'
  | 'GET transfer/list'
  | 'GET finance/bills'
  | 'GET notice/list'

type RankKey = 'GET user/todayPerformanceRank' | 'GET user/minPerformanceRank'

const listsOf = (db: Database): Handlers<ListKey> => ({
  'GET statement/list': statementHandlers({ db })['GET statement/list'],
  'GET statement/csv': statementHandlers({ db })['GET statement/csv'],
  'GET user/incomeList': incomeHandlers({ db })['GET user/incomeList'],
  'GET user/powerLog': (input, { memberId }) => listPowerLog(db, memberId, pageQuery(input)),
  'GET user/zhiList': (input, { memberId }) => listReferrals(db, memberId, pageQuery(input)),
  'GET transfer/list': (input, { memberId }) => listTransfers(db, memberId, input),
  'GET finance/bills': fundHandlers({ db, isCharged })['GET finance/bills'],
  'GET notice/list': noticeHandlers({ db })['GET notice/list'],
})

/**
 * Lists of what a member has, of which pages behind the first come from a standby that has everything that was visible when
 * the call came: so no page is older than what the same session was shown before, whoever has committed it.
 */
export function oldPages(db: Database, standby: StandbyReads): Handlers<ListKey> {
  const onPrimary = listsOf(db)
  const handler =
    <K extends ListKey>(key: K) =>
    (input: HandlerInput<K>, context: ContextOf<K> & SessionContext) => {
      if (input.cursor === undefined) return onPrimary[key](input, context)
      return standby.at(context.walPosition, (reader) => listsOf(reader)[key](input, context))
    }
  return {
    'GET statement/list': handler('GET statement/list'),
    'GET statement/csv': handler('GET statement/csv'),
    'GET user/incomeList': handler('GET user/incomeList'),
    'GET user/powerLog': handler('GET user/powerLog'),
    'GET user/zhiList': handler('GET user/zhiList'),
    'GET transfer/list': handler('GET transfer/list'),
    'GET finance/bills': handler('GET finance/bills'),
    'GET notice/list': handler('GET notice/list'),
  }
}

/** As old as a standby is: but what the same session has seen before is in them. */
export const rankings = (standby: StandbyReads): Handlers<RankKey> => ({
  'GET user/todayPerformanceRank': (input, context) =>
    standby.at(context.walPosition, (db) => rankingHandlers({ db })['GET user/todayPerformanceRank'](input, context)),
  'GET user/minPerformanceRank': (input, context) =>
    standby.at(context.walPosition, (db) => rankingHandlers({ db })['GET user/minPerformanceRank'](input, context)),
})
