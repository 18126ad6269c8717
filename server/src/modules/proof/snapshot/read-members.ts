import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { type OpenDebt, owedTo, type Position, type Valuation } from '@candela/protocol/proof/owed'
import { addSums, noSums, type Sums } from '@candela/protocol/proof/sum-tree'
import type { Tx } from '../../../db/open.ts'
import { accountBalances } from '../../../ledger/balances.ts'
import { platformAccount, platformAccountNames } from '../../../ledger/chart.ts'
import { holdingsOfMembers } from '../../../ledger/member-balances-page.ts'
import type { PaidLater } from './followed-payments.ts'

/** Members at a time: other work waits for no more than the milliseconds that one page takes. */
const PAGE = 100

/** What is read of other areas, each in the snapshot's transaction. Amounts are base units. */
export type OwedSources = {
  listAddresses: (tx: Tx, after: bigint, limit: number) => Promise<{ id: bigint; address: string }[]>
  listOpenDebts: (tx: Tx) => Promise<OpenDebt[]>
  readFund: (tx: Tx) => Promise<Valuation['fund']>
  readPrices: (tx: Tx) => Promise<Valuation['prices']>
}

/** The members' figures do not add up to the ledger's: nothing may be attested. */
export class SumsDiffer extends Error {
  override readonly name = 'SumsDiffer'
}

const nothing = (): Record<AssetCode, bigint> => ({ JU: 0n, USDT: 0n, HASH: 0n })

/**
 * What is owed to each member in the snapshot of a transaction, member by member, and to all together, and by what it was counted.
 * @throws SumsDiffer when what was read of all members is not what the platform's own accounts leave to them
 */
export async function readMembers(
  tx: Tx,
  sources: OwedSources,
  paidLater: readonly PaidLater[],
  take: (member: { id: bigint; address: string }, owed: Sums, position: Position) => void,
): Promise<{ sums: Sums; valuation: Valuation }> {
  const [debts, fund, prices] = [
    await sources.listOpenDebts(tx),
    await sources.readFund(tx),
    await sources.readPrices(tx),
  ]
  const valuation = { fund: { assets: fund.assets, shares: fund.shares }, prices }
  const debtOf = new Map(debts.map((debt) => [debt.memberId, debt]))
  const paidTo = Map.groupBy(paidLater, ({ to }) => to)
  const found = { balances: nothing(), shares: 0n, borrowers: 0, paid: 0 }
  let sums = noSums
  for (let coming = readPage(tx, sources, 0n); ;) {
    const { members, positions } = await coming
    const last = members.at(-1)
    if (last === undefined) break
    // The database reads the next page while this one is worked on.
    coming = readPage(tx, sources, last.id)
    coming.catch(() => undefined)
    for (const member of members) {
      const { balances, shares } = positions.get(member.id) ?? { balances: nothing(), shares: 0n }
      const loans = debtOf.get(member.id)
      const paid = paidTo.get(member.address) ?? []
      const position: Position = {
        balances,
        shares,
        collateral: loans?.collateral ?? { JU: 0n, HASH: 0n },
        debt: loans?.debt ?? 0n,
        paidLater: sumOf(paid),
      }
      const owed = owedTo(position, valuation)
      take(member, owed, position)
      sums = addSums(sums, owed)
      for (const asset of assetCodes) found.balances[asset] += balances[asset]
      found.shares += shares
      found.borrowers += loans === undefined ? 0 : 1
      found.paid += paid.length
    }
  }
  if (found.borrowers !== debts.length) throw new SumsDiffer('a loan belongs to no member')
  if (found.paid !== paidLater.length) throw new SumsDiffer('a payment was made to no member')
  await compareWithLedger(tx, found, debts, fund.shares)
  return { sums, valuation }
}

/** The next members after an id, with what they have; none after the last. */
async function readPage(tx: Tx, sources: OwedSources, after: bigint) {
  const members = await sources.listAddresses(tx, after, PAGE)
  const positions = new Map<bigint, { balances: Record<AssetCode, bigint>; shares: bigint }>()
  const [first, last] = [members.at(0), members.at(-1)]
  if (first === undefined || last === undefined) return { members, positions }
  for (const { memberId, account, asset, balance } of await holdingsOfMembers(tx, first.id, last.id)) {
    const position = positions.get(memberId) ?? { balances: nothing(), shares: 0n }
    positions.set(memberId, position)
    if (account === 'memberShares') position.shares += balance
    else if (asset !== 'SHARE') position.balances[asset] += balance
  }
  return { members, positions }
}

function sumOf(paid: readonly PaidLater[]): Record<AssetCode, bigint> {
  const sum = nothing()
  for (const { asset, amount } of paid) sum[asset] += amount
  return sum
}

/**
 * All accounts of an asset sum to zero. So what members have, with their collateral and less their debts, is what the
 * platform's own accounts leave, and these are read apart from it.
 */
async function compareWithLedger(
  tx: Tx,
  found: { balances: Record<AssetCode, bigint>; shares: bigint },
  debts: readonly OpenDebt[],
  issued: bigint,
): Promise<void> {
  for (const asset of assetCodes) {
    const own = await accountBalances(
      tx,
      platformAccountNames.map((name) => platformAccount(name, asset)),
    )
    const platform = own.reduce((sum, balance) => sum + balance, 0n)
    const members = debts.reduce(
      (sum, { debt, collateral }) => sum + (asset === 'USDT' ? -debt : collateral[asset]),
      found.balances[asset],
    )
    if (members + platform !== 0n) {
      throw new SumsDiffer(`${asset}: members have ${members} base units, and the ledger leaves them ${-platform}`)
    }
  }
  if (found.shares !== issued) throw new SumsDiffer(`members have ${found.shares} of ${issued} shares of the fund`)
}
