import type { Handlers } from '../../kernel/handler.ts'
import { dailyBudget } from './daily-budget.ts'
import { partyFinder } from './find-parties.ts'
import { listTransfers } from './list-transfers.ts'
import { makeTransfer, type TransferDeps } from './make-transfer.ts'

export function transferHandlers(
  deps: Omit<TransferDeps, 'findParties' | 'budget'>,
): Handlers<'GET transfer/recipient' | 'POST transfer/index' | 'GET transfer/list'> {
  const findParties = partyFinder(deps.db)
  const budget = dailyBudget(deps.db)
  return {
    'GET transfer/recipient': async ({ to }, { memberId, now }) => {
      const { recipient } = await findParties({ memberId, to, now })
      return { uid: recipient.uid.toString(), address: recipient.address, self: recipient.id === memberId }
    },
    'POST transfer/index': (input, { memberId, now, clientAddress }) =>
      makeTransfer({ ...deps, findParties, budget }, input, { memberId, now, clientAddress }),
    'GET transfer/list': (input, { memberId }) => listTransfers(deps.db, memberId, input),
  }
}
