import type { Handlers } from '../../kernel/handler.ts'
import { createGroupCommit } from '../../ledger/commit.ts'
import { dailyBudget } from './daily-budget.ts'
import { partyFinder } from './find-parties.ts'
import { transferDomain } from './hash-terms.ts'
import { listTransfers } from './list-transfers.ts'
import { makeTransfer, type TransferDeps } from './make-transfer.ts'

export function transferHandlers({
  gateway,
  ...deps
}: Pick<TransferDeps, 'db' | 'ids' | 'verifySignature'> & { gateway: `0x${string}` }): Handlers<
  'GET transfer/recipient' | 'POST transfer/index' | 'GET transfer/list'
> {
  const parties = partyFinder(deps.db)
  const ledger = createGroupCommit(deps.db)
  const budget = dailyBudget(deps.db)
  const domain = transferDomain(gateway)
  return {
    'GET transfer/recipient': async ({ to }, { memberId, now }) => {
      const { recipient } = await parties.find({ memberId, to, now })
      return { uid: recipient.uid.toString(), address: recipient.address, self: recipient.id === memberId }
    },
    'POST transfer/index': (input, { memberId, now, clientAddress }) =>
      makeTransfer({ ...deps, parties, ledger, budget, domain }, input, { memberId, now, clientAddress }),
    'GET transfer/list': (input, { memberId }) => listTransfers(deps.db, memberId, input),
  }
}
