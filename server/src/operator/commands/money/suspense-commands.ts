import { OperatorError } from '../../../kernel/errors.ts'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Tx } from '../../../db/open.ts'
import { assignSuspense, type SuspenseTarget } from '../../../modules/deposit/assign-suspense.ts'
import { listSuspense } from '../../../modules/deposit/list-suspense.ts'
import type { Bindings } from '../../run.ts'

export const suspenseCommands: Bindings<'suspense list' | 'suspense assign'> = {
  'suspense list': async (tx) => {
    const items = await listSuspense(tx)
    return items.map((item) => ({ ...item, amount: fromBaseUnits(item.amount) }))
  },
  'suspense assign': (tx, words, { now }) => assignByWords(tx, words, now),
}

/** @throws OperatorError when there is no such payment or target, or it has gone elsewhere */
async function assignByWords(tx: Tx, { id, to }: Words, now: Date) {
  const assignment = await assignSuspense(tx, readId(id), readTarget(to), now)
  if (!('amount' in assignment)) throw new OperatorError(refusals[assignment.result]({ id, to }))
  const { asset, amount, txHash, result } = assignment
  // Said which, because the command may have been given twice by accident.
  return { id, to, asset, amount: fromBaseUnits(amount), txHash, was: result }
}

const refusals = {
  unknown: ({ id }: Words) => `there is no payment ${id} in suspense`,
  noMember: ({ to }: Words) => `there is no member with the UID of "${to}"`,
  taken: ({ id }: Words) => `payment ${id} was given to somebody else before`,
  orphaned: ({ id }: Words) => `payment ${id} has left the chain: there is nothing to give`,
}

type Words = { id: string; to: string }

/** @throws OperatorError for what is neither a member nor the desk */
export function readTarget(to: string): SuspenseTarget {
  if (to === 'desk') return { kind: 'desk' }
  const [, uid] = /^member:([1-9][0-9]{0,17})$/.exec(to) ?? []
  if (uid !== undefined) return { kind: 'member', uid: BigInt(uid) }
  throw new OperatorError(`"${to}" is nobody to give to: it is member:<uid>, or desk`)
}

function readId(text: string): bigint {
  if (/^[1-9][0-9]{0,17}$/.test(text)) return BigInt(text)
  throw new OperatorError(`"${text}" is not an id`)
}
