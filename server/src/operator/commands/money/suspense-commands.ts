import { OperatorError } from '../../../kernel/errors.ts'
import { fromBaseUnits, isWholeNumber } from '@candela/protocol/money/money'
import type { Tx } from '../../../db/open.ts'
import { assignDustSum, assignSuspense, type SuspenseTarget } from '../../../modules/deposit/assign-suspense.ts'
import { listSuspense } from '../../../modules/deposit/list-suspense.ts'
import type { Bindings } from '../../run.ts'

/** Items of a page. */
const PAGE = 50
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const suspenseCommands: Bindings<'suspense list' | 'suspense assign'> = {
  'suspense list': async (tx, { skip }) => {
    const items = await listSuspense(tx, { skip: readSkip(skip ?? '0'), limit: PAGE })
    return items.map((item) => ({ ...item, amount: fromBaseUnits(item.amount) }))
  },
  'suspense assign': async (tx, { id, to }, { now }) => {
    const all: Awaited<ReturnType<typeof assignByWords>>[] = []
    for (const each of [id].flat()) all.push(await assignByWords(tx, { id: each, to }, now))
    return all.length === 1 ? (all[0] ?? all) : all
  },
}

/** @throws OperatorError when there is no such payment or target, or it has gone elsewhere */
async function assignByWords(tx: Tx, { id, to }: Words, now: Date) {
  const assignment = UUID.test(id)
    ? await assignDustSum(tx, id, readTarget(to), now)
    : await assignSuspense(tx, readId(id), readTarget(to), now)
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

function readSkip(text: string): number {
  if (isWholeNumber(text) && Number(text) <= 1e9) return Number(text)
  throw new OperatorError(`"${text}" is not a number of items to pass over`)
}

function readId(text: string): bigint {
  if (/^[1-9][0-9]{0,17}$/.test(text)) return BigInt(text)
  throw new OperatorError(`"${text}" is not an id`)
}
