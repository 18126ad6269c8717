import { OperatorError } from '../../kernel/errors.ts'
import { fromBaseUnits, isWholeNumber } from '@candela/protocol/money/money'
import type { Command } from 'commander'
import type { Tx } from '../../db/open.ts'
import { assignDustSum, assignSuspense, type SuspenseTarget } from '../../modules/deposit/assign-suspense.ts'
import { listSuspense } from '../../modules/deposit/list-suspense.ts'
import type { Run } from '../run.ts'

/** Items of a page. */
const PAGE = 50
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function addSuspense(program: Command, run: Run): void {
  const group = program.command('suspense').description('money whose owner nobody knows')
  group
    .command('list')
    .description('what is worth most first, a page at a time')
    .option('--skip <n>', 'how many to pass over', '0')
    .action(({ skip }: { skip: string }) =>
      run({ command: 'suspense list', signers: 0 }, { skip }, async (tx) => {
        const items = await listSuspense(tx, { skip: readSkip(skip), limit: PAGE })
        return items.map((item) => ({ ...item, amount: fromBaseUnits(item.amount) }))
      }),
    )
  group
    .command('assign')
    .description('give payments in suspense, or sums of dust, to whom they belong, each whole and once')
    .argument('<ids...>', 'their ids in the list')
    .requiredOption('--to <target>', 'member:<uid>, or desk: stock that the exchange sells')
    .action((ids: string[], { to }: { to: string }) =>
      // One is written down as it was before there could be many.
      run(
        { command: 'suspense assign', signers: 2 },
        ids.length === 1 ? { id: ids[0], to } : { ids, to },
        async (tx, now) => {
          const [first, ...others] = ids
          const given = await assignByWords(tx, { id: first ?? '', to }, now)
          if (others.length === 0) return given
          const all = [given]
          for (const id of others) all.push(await assignByWords(tx, { id, to }, now))
          return all
        },
      ),
    )
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
