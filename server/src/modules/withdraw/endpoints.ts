import { pageQuery, toPage } from '../../db/page.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { type ApplyDeps, applyForWithdrawal } from './apply.ts'
import { cancelWithdrawal } from './cancel.ts'
import { quoteWithdrawal } from './quote.ts'
import { readWithdrawals } from './read-withdrawals.ts'

export function withdrawHandlers(
  deps: ApplyDeps,
): Handlers<'GET withdraw/quote' | 'POST withdraw/apply' | 'POST withdraw/cancel' | 'GET withdraw/list'> {
  return {
    'GET withdraw/quote': (input, { memberId, now }) => quoteWithdrawal(deps, input, { memberId, now }),
    'POST withdraw/apply': (input, { memberId, now }) => applyForWithdrawal(deps, input, { memberId, now }),
    'POST withdraw/cancel': (input, { memberId, now }) => cancelWithdrawal(deps, input, { memberId, now }),
    'GET withdraw/list': async (input, { memberId }) => {
      const { before, limit } = pageQuery(input)
      const filter = { memberId, withdrawalNo: input.withdrawalNo, before, limit: limit + 1 }
      return toPage(await readWithdrawals(deps.db, filter, deps.confirmations), limit, (row) => row.withdrawal)
    },
  }
}
