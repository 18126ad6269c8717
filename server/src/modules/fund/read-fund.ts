import type { FundState } from '@candela/protocol/fund/fund'
import type { Database, Tx } from '../../db/open.ts'
import { accountBalances } from '../../ledger/balances.ts'
import { platformAccount } from '../../ledger/chart.ts'

/** The fund at one instant. USDT base units; shares in base units of a share. */
export type Fund = FundState & {
  /** Not lent. */
  idle: bigint
  /** An asset: the debt of loans to it, less what is pending of it and what was paid ahead. With `pending`, all of that debt. */
  claims: bigint
  /** Interest that is charged and not counted in the price yet. */
  pending: bigint
  reserve: bigint
}

export async function readFund(db: Database): Promise<Fund> {
  const [idle = 0n, claims = 0n, pending = 0n, reserve = 0n, issued = 0n] = await accountBalances(db, [
    platformAccount('fundIdle', 'USDT'),
    platformAccount('fundClaims', 'USDT'),
    platformAccount('fundPending', 'USDT'),
    platformAccount('reserve', 'USDT'),
    platformAccount('fundShares', 'SHARE'),
  ])
  return { assets: idle + claims, shares: -issued, idle, claims, pending, reserve }
}

/** Money of the fund that is not lent, USDT base units. */
export const readFundIdle = async (db: Database): Promise<bigint> => (await readFund(db)).idle

/** The same as `readFund`, under the fund's lock: until the transaction ends nobody else changes its shares or lowers its price. */
export async function lockFund(tx: Tx): Promise<Fund> {
  await tx.selectFrom('fund').select('only_row').forNoKeyUpdate().executeTakeFirstOrThrow()
  return readFund(tx)
}
