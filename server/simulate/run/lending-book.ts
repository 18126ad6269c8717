import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { type Database, transaction } from '@candela/server/db/open'
import { uuidFromName } from '@candela/server/kernel/ids'
import { platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { createProject } from '@candela/server/modules/lending/project/manage-projects'

const WHOLE = 10n ** 18n

/** The acts of lending that the service has acknowledged: at the end all of them must be there, once. */

export const lendingActs = [
  'fundIn',
  'fundOut',
  'borrow',
  'repay',
  'installments',
  'addCollateral',
  'releaseCollateral',
  'openLever',
  'closeLever',
] as const
export type LendingAct = (typeof lendingActs)[number]

export type KnownLoan = {
  loanNo: string
  memberId: bigint
  kind: 'project' | 'lever'
  asset: CollateralAsset
  lent: bigint
}

/** The effect of an act, base units: on the member's balances, on the loan's collateral, and what it paid of the loan. */
export type Effect = {
  memberId: bigint
  balances: readonly { asset: AssetCode; amount: bigint }[]
  loanNo?: string
  collateral?: bigint
  repaid?: bigint
}

export type LendingBook = {
  projects: Record<CollateralAsset, string>
  /** Oldest first. */
  loans: KnownLoan[]
  /** By request id. */
  done: Map<string, { act: LendingAct; effect: Effect }>
  /** Liquidations up to this id were checked. */
  lastLiquidation: bigint
}

export const newLendingBook = (projects: LendingBook['projects']): LendingBook => ({
  projects,
  loans: [],
  done: new Map(),
  lastLiquidation: 0n,
})

const text = { zh: '借款', tw: '借款', en: 'Loan' }

/** A project on each collateral. */
export async function addProjects(db: Database): Promise<Record<CollateralAsset, string>> {
  const projects = { JU: '20260301SIMULATEJU', HASH: '20260301SIMULATEHA' }
  await db
    .insertInto('setting')
    .values({ key: 'pairAgeDays', value: '0', updated_at: new Date(0) })
    .execute()
  const terms = { rate: 91_250, initialRate: 500_000, safetyLine: 700_000, clearingLine: 800_000 }
  for (const collateral of ['JU', 'HASH'] as const) {
    const project = { name: text, information: text, collateral, total: 1_000_000n * WHOLE, ...terms }
    await transaction(db, (tx) => createProject(tx, projects[collateral], project, new Date(0)))
  }
  return projects
}

/** Gives the desk what the gateway holds for it from the start. */
export async function stockDesk(db: Database, amount: bigint, now: Date): Promise<void> {
  for (const asset of assetCodes) {
    const leg = { debit: platformAccount('custody', asset), credit: platformAccount('deskInventory', asset), amount }
    const posting = { kind: 'desk-stock' as const, legs: [leg], memo: { txHash: '' }, occurredAt: now }
    await transaction(db, (tx) => post(tx, { ...posting, id: uuidFromName(`simulated desk ${asset}`) }))
  }
}
