import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import {
  type OpenDebt,
  owedTo,
  type Pool,
  poolInKind,
  type Position,
  type Valuation,
} from '@candela/protocol/proof/owed'
import { addSums, noSums, type Sums } from '@candela/protocol/proof/sum-tree'
import type { Database, Tx } from '../../../db/open.ts'
import { accountBalances } from '../../../ledger/balances.ts'
import { platformAccount, platformAccountNames } from '../../../ledger/chart.ts'
import { holdingsOfMembers } from '../../../ledger/member-balances-page.ts'
import { readDebtors } from '../../../ledger/read-debtors.ts'
import type { PaidLater } from './followed-payments.ts'

/** Members at a time in a thread that answers calls: they wait for no more than the milliseconds that one page takes. */
const SHORT_PAGE = 100

export type ListAddresses = (tx: Tx, after: bigint, limit: number) => Promise<{ id: bigint; address: string }[]>

/** The reads of other areas, each in the snapshot's transaction. Amounts are base units. */
export type OwedSources = {
  listAddresses: ListAddresses
  /** Zero when there are no members. */
  lastMemberId: (db: Database) => Promise<bigint>
  listOpenDebts: (tx: Tx) => Promise<OpenDebt[]>
  readFund: (tx: Tx) => Promise<Valuation['fund'] & { idle: bigint }>
  readPrices: (tx: Tx) => Promise<Valuation['prices']>
}

/** The members' figures do not add up to the ledger's: nothing may be attested. */
export class SumsDiffer extends Error {
  override readonly name = 'SumsDiffer'
}

const nothing = (): Record<AssetCode, bigint> => ({ JU: 0n, USDT: 0n, HASH: 0n })

/** The inputs that members' figures are counted by, read once for all of them. */
export type Given = {
  valuation: Valuation & { pool: Pool }
  debts: readonly OpenDebt[]
  paidLater: readonly PaidLater[]
}

/** The sums of some members: what is owed to them together, and what the ledger is compared with. */
export type Found = {
  sums: Sums
  balances: Record<AssetCode, bigint>
  shares: bigint
  borrowers: number
  paid: number
}

export const nothingFound = (): Found => ({ sums: noSums, balances: nothing(), shares: 0n, borrowers: 0, paid: 0 })

type Take = (member: { id: bigint; address: string }, owed: Sums, position: Position) => void

export async function readGiven(tx: Tx, sources: OwedSources, paidLater: readonly PaidLater[]): Promise<Given> {
  const [debts, fund, prices] = [
    await sources.listOpenDebts(tx),
    await sources.readFund(tx),
    await sources.readPrices(tx),
  ]
  const pool = poolInKind(await readDebtors(tx, debts), fund, prices)
  return { debts, paidLater, valuation: { fund: { assets: fund.assets, shares: fund.shares }, pool, prices } }
}

/**
 * Reads what is owed to each member in the snapshot of a transaction, member by member, and to all together, and by what it was
 * counted.
 * @throws SumsDiffer when what was read of all members is not what the platform's own accounts leave to them
 */
export async function readMembers(
  tx: Tx,
  sources: OwedSources,
  paidLater: readonly PaidLater[],
  take: Take,
): Promise<{ sums: Sums; valuation: Given['valuation'] }> {
  const given = await readGiven(tx, sources, paidLater)
  const all = { after: 0n, upTo: await sources.lastMemberId(tx) }
  const found = await readOwed(tx, sources.listAddresses, given, all, take)
  await compareFound(tx, given, found)
  return { sums: found.sums, valuation: given.valuation }
}

/**
 * Reads what is owed to each member of a range of ids, the last one included.
 * @param page members at a time
 */
export async function readOwed(
  tx: Tx,
  listAddresses: ListAddresses,
  { valuation, debts, paidLater }: Given,
  { after, upTo }: { after: bigint; upTo: bigint },
  take: Take,
  page = SHORT_PAGE,
): Promise<Found> {
  const debtOf = new Map(debts.map((debt) => [debt.memberId, debt]))
  const paidTo = Map.groupBy(paidLater, ({ to }) => to)
  const found = nothingFound()
  const readNext = (from: bigint) => readPage(tx, listAddresses, { after: from, upTo }, page)
  for (let coming = readNext(after); ;) {
    const { members, positions } = await coming
    const last = members.at(-1)
    if (last === undefined) return found
    // The database reads the next page while this one is worked on.
    coming = readNext(last.id)
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
      found.sums = addSums(found.sums, owed)
      for (const asset of assetCodes) found.balances[asset] += balances[asset]
      found.shares += shares
      found.borrowers += loans === undefined ? 0 : 1
      found.paid += paid.length
    }
  }
}

/** Adds what was found of some members and of others. */
export function addFound(one: Found, other: Found): Found {
  const balances = nothing()
  for (const asset of assetCodes) balances[asset] = one.balances[asset] + other.balances[asset]
  return {
    sums: addSums(one.sums, other.sums),
    balances,
    shares: one.shares + other.shares,
    borrowers: one.borrowers + other.borrowers,
    paid: one.paid + other.paid,
  }
}

/** @throws SumsDiffer when what was found of all members is not what the platform's own accounts leave to them */
export async function compareFound(tx: Tx, { debts, paidLater, valuation }: Given, found: Found): Promise<void> {
  if (found.borrowers !== debts.length) throw new SumsDiffer('a loan belongs to no member')
  if (found.paid !== paidLater.length) throw new SumsDiffer('a payment was made to no member')
  await compareWithLedger(tx, found, debts, valuation.fund.shares)
}

/** The next members after an id, with what they have; none after the last. */
async function readPage(
  tx: Tx,
  listAddresses: ListAddresses,
  { after, upTo }: { after: bigint; upTo: bigint },
  page: number,
) {
  const members = (await listAddresses(tx, after, page)).filter(({ id }) => id <= upTo)
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
