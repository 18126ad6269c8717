import { isAssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import { OperatorError } from '../../../kernel/errors.ts'
import {
  assignSurplus,
  listSurplus,
  type SurplusAssignment,
  type SurplusResult,
} from '../../../modules/reconcile/assign-surplus.ts'
import type { Bindings } from '../../run.ts'
import { readTarget } from './suspense-commands.ts'

type Options = { to: string; tx: string; note: string }

export const surplusCommands: Bindings<'surplus list' | 'surplus assign'> = {
  'surplus list': async (tx) =>
    (await listSurplus(tx)).map(({ asset, booked, left }) => ({
      asset,
      booked: fromBaseUnits(booked),
      left: fromBaseUnits(left),
    })),
  'surplus assign': async (tx, { asset, amount, to, tx: txHash, note }, { now }) => {
    const assignment = readAssignment(asset, amount, { to, tx: txHash, note })
    const was = await assignSurplus(tx, assignment, now)
    if (was !== 'assigned' && was !== 'already') throw new OperatorError(refusals[was]({ to, txHash, asset }))
    return { asset, amount: fromBaseUnits(assignment.amount), to, txHash: assignment.txHash, was }
  },
}

type Words = { to: string; txHash: string; asset: string }

const refusals: Record<Exclude<SurplusResult, 'assigned' | 'already'>, (words: Words) => string> = {
  noMember: ({ to }) => `there is no member with the UID of "${to}"`,
  taken: ({ to, txHash }) => `${to} was given another amount for ${txHash} before`,
  recorded: ({ txHash }) => `the events of ${txHash} are recorded: what it brought is credited by itself`,
  notEnough: ({ asset }) => `less surplus of ${asset} is left: see \`surplus list\``,
}

function readAssignment(asset: string, amount: string, { to, tx, note }: Options): SurplusAssignment {
  if (!isAssetCode(asset)) throw new OperatorError(`there is no asset "${asset}"`)
  const parsed = parseAmount(amount)
  if (!parsed.ok || parsed.amount === 0n) throw new OperatorError(`"${amount}" is not an amount of ${asset}`)
  const txHash = tx.toLowerCase()
  if (!/^0x[0-9a-f]{64}$/.test(txHash)) throw new OperatorError(`"${tx}" is not the hash of a transaction`)
  return { asset, amount: parsed.amount, txHash, target: readTarget(to), note }
}
