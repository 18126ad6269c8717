import { isAssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits, parseAmount } from '@candela/protocol/money/money'
import type { Tx } from '../../../db/open.ts'
import { OperatorError } from '../../../kernel/errors.ts'
import { bookDifference } from '../../../modules/reconcile/book-difference.ts'
import { readLastReconciliation, readLines } from '../../../modules/reconcile/pause.ts'
import type { Bindings } from '../../run.ts'

/** A comparison that is older was not made by a service that works. */
const FRESH_MS = 180_000

export const reconcileCommands: Bindings<'reconcile show' | 'reconcile book'> = {
  'reconcile show': (tx, _input, { now }) => showLast(tx, now),
  'reconcile book': async (tx, { asset, difference, note }, { now }) => {
    if (!isAssetCode(asset)) throw new OperatorError(`there is no asset "${asset}"`)
    const amount = readDifference(difference)
    if (!(await bookDifference(tx, { asset, difference: amount, note }, now))) {
      throw new OperatorError(`the last comparison did not find ${difference} ${asset}, or it is booked already`)
    }
    return { asset, difference, note }
  },
}

async function showLast(tx: Tx, now: Date) {
  const last = await readLastReconciliation(tx)
  if (last === undefined) throw new OperatorError('nothing was compared yet: start the service')
  if (now.getTime() - last.at.getTime() > FRESH_MS) {
    throw new OperatorError(
      `the last comparison is of ${last.at.toISOString()}: the service does not run, is behind, or its node does not answer`,
    )
  }
  const lines = await readLines(tx, last.id)
  return lines.map(({ asset, expected, found, tolerated }) => ({
    asset,
    expected: fromBaseUnits(expected),
    found: fromBaseUnits(found),
    difference: fromBaseUnits(found - expected),
    tolerated: fromBaseUnits(tolerated),
    block: last.block_number,
    at: last.at,
    withdrawals: last.paused ? 'paused' : 'open',
  }))
}

function readDifference(text: string): bigint {
  const negative = text.startsWith('-')
  const parsed = parseAmount(negative ? text.slice(1) : text)
  if (!parsed.ok) throw new OperatorError(`"${text}" is not an amount`)
  return negative ? -parsed.amount : parsed.amount
}
