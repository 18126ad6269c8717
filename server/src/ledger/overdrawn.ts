import { codes } from '@candela/protocol/codes/codes'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../db/open.ts'
import { AppError } from '../kernel/errors.ts'
import { accountBalance } from './balances.ts'
import { type AccountId, accountParts, overdrawnCode } from './chart.ts'

/**
 * The error for a posting that would take an account below zero: the chart's code, and for the caller's own account
 * (4201) also what is available.
 */
export async function overdrawnError(db: Database, account: AccountId): Promise<AppError> {
  const { asset } = accountParts(account)
  const code = overdrawnCode(account)
  if (code !== codes.notEnoughBalance) return new AppError(code, { asset })
  return new AppError(code, { asset, available: fromBaseUnits(await accountBalance(db, account)) })
}
