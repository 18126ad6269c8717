import type { Handlers } from '../../kernel/handler.ts'
import { partyFinder } from './find-parties.ts'
import { listTransfers } from './list-transfers.ts'
import { makeTransfer, type TransferDeps } from './make-transfer.ts'

export function transferHandlers(
  deps: Omit<TransferDeps, 'findParties'>,
): Handlers<'GET transfer/recipient' | 'POST transfer/index' | 'GET transfer/list'> {
  const findParties = partyFinder(deps.db)
  return {
    'GET transfer/recipient': async ({ to }, { memberId }) => {
      const { recipient } = await findParties({ memberId, to })
      return { uid: recipient.uid.toString(), address: recipient.address, self: recipient.id === memberId }
    },
    'POST transfer/index': (input, { memberId, now }) =>
      makeTransfer({ ...deps, findParties }, input, { memberId, now }),
    'GET transfer/list': ({ cursor, limit }, { memberId }) => listTransfers(deps.db, memberId, { cursor, limit }),
  }
}
