import { isDeepStrictEqual } from 'node:util'
import { addDays } from '@candela/protocol/calendar'
import { worthOf } from '@candela/protocol/fund/fund'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { hasOwnLeaf } from '@candela/protocol/proof/owed'
import { checkPath, type ProofFile, type SecretProofFile, toSums } from '@candela/protocol/proof/proof-file'
import {
  addSums,
  NODE_BYTES,
  noSums,
  proofAssets,
  sameSums,
  type Sums,
  writeNode,
} from '@candela/protocol/proof/sum-tree'
import { proofInTree, type TreeLeaves } from '@candela/protocol/proof/tree-file'
import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Database } from '@candela/server/db/open'
import type { Tables } from '@candela/server/db/tables/index'
import { must } from '@candela/server/kernel/assert'
import { type AccountId, loanAccount, memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { readPlatformProof, readProof } from '@candela/server/modules/proof/read-proof'
import { readLeaves } from '@candela/server/modules/proof/tree/read-path'
import { sql } from 'kysely'
import type { Attestation } from '../model/attested-state.ts'
import { type Simulation, violation } from '../run/simulation.ts'
import { paidBetween } from './paid-events.ts'

/** A member's proof of one day, and what it was made from: one that was saved, of that day or another, or the database. */
export type MemberProof = { memberId: bigint; proof: ProofFile; from: 'thatDay' | 'anotherDay' | 'database' }

/** As of which block and posting something is owed. */
type AsOf = { block: number; sequence: bigint }

/**
 * Each member's proof of the attested day. Who has saved one of another day makes it from that and a copy of the day's tree, which anybody
 * may have kept; the others have one of that day, or it is read from the database that the dead service has left. An operator or an
 * auditor with the data folder can do the same; the service's own endpoint gives only what it has seen to be attested.
 */
export async function readProofs(simulation: Simulation, last: Attestation): Promise<MemberProof[]> {
  const { db, memberIds, proofs } = simulation
  const day = addDays('1970-01-01', last.day)
  const row = await db.selectFrom('proof_snapshot').selectAll().where('day', '=', day).executeTakeFirst()
  if (row?.root !== last.root) throw violation(simulation, `the database has not the tree that is attested for ${day}`)
  const tree = await copyTree(db, row)
  const found: MemberProof[] = []
  for (const [address, memberId] of memberIds) {
    const known = await readProof(db, row, { id: memberId, address })
    // A member that has none is owed little, or `leavesAreOwed` finds it.
    if (known === null) continue
    const own = proofs.filter(({ leaf }) => leaf.member === address)
    const other = own.findLast((proof): proof is SecretProofFile => proof.day !== day && proof.version === 2)
    const saved = own.find((proof) => proof.day === day)
    const made = other === undefined ? (saved ?? known) : (await proofInTree(other, tree)).proof
    for (const one of [made, saved ?? known]) {
      if (!isDeepStrictEqual(one, known))
        throw violation(simulation, `member ${memberId} has another proof of ${day} than the database`)
    }
    const from = other !== undefined ? 'anotherDay' : saved !== undefined ? 'thatDay' : 'database'
    found.push({ memberId, proof: must(made ?? undefined, 'it is the known one'), from })
  }
  return found
}

/** All leaves of a snapshot's tree, as somebody has them who has kept every part. */
async function copyTree(
  db: Database,
  { day, depth, block_number, sequence }: Tables['proof_snapshot'],
): Promise<TreeLeaves> {
  const nodes = new Uint8Array(2 ** depth * NODE_BYTES)
  for (let part = 0, place = 0; place < 2 ** depth; part += 1) {
    for (const node of await readLeaves(db, day, part)) writeNode(nodes, NODE_BYTES * place++, node)
  }
  return { day, block: Number(block_number), ledgerSequence: String(sequence), nodes }
}

/** Every snapshot in the database has what was owed to each member, and nothing else. */
export async function snapshotsAreOwed(simulation: Simulation): Promise<string[]> {
  const { db, memberIds } = simulation
  const findings: string[] = []
  for (const row of await db.selectFrom('proof_snapshot').selectAll().orderBy('day').execute()) {
    const found: MemberProof[] = []
    for (const [address, memberId] of memberIds) {
      const proof = await readProof(db, row, { id: memberId, address })
      if (proof !== null) found.push({ memberId, proof, from: 'database' })
    }
    const asOf = { block: Number(row.block_number), sequence: row.sequence }
    findings.push(...(await leavesAreOwed(simulation, asOf, found)))
  }
  return findings
}

/**
 * Compares what is in each leaf with what the ledger had up to the posting and the chain up to the block: a member is owed what the
 * ledger has, with what it has paid out already, less what the contract had paid until then. No code of the snapshot is used for it.
 */
export async function leavesAreOwed(
  simulation: Simulation,
  asOf: AsOf,
  proofs: readonly MemberProof[],
): Promise<string[]> {
  const read = await readLedger(simulation, asOf)
  const findings: string[] = []
  let sums = noSums
  const smallest = await readPlatformLeaf(simulation, asOf.sequence)
  const owed = await owedToAll(simulation, read, asOf.sequence)
  let small = noSums
  for (const [, memberId] of simulation.memberIds) {
    if (proofs.some((one) => one.memberId === memberId)) continue
    if (hasOwnLeaf(owed(memberId)))
      findings.push(`member ${memberId} has no leaf as of ${asOf.sequence}, and owed is ${owed(memberId).join()}`)
    small = addSums(small, owed(memberId))
  }
  if (!sameSums(smallest, small))
    findings.push(`the platform's leaf as of ${asOf.sequence} has ${smallest.join()}, and owed is ${small.join()}`)
  sums = addSums(sums, smallest)
  for (const { memberId, proof } of proofs) {
    const leaf = toSums(proof.leaf.owed)
    sums = addSums(sums, leaf)
    const name = `the leaf of member ${memberId} on ${proof.day}`
    const problem = checkPath(proof)
    if (problem !== null) findings.push(`${name} is not in its tree: ${problem}`)
    if (!hasOwnLeaf(leaf)) findings.push(`${name} has less than the step of every asset`)
    for (const [index, asset] of proofAssets.entries()) {
      const [amount, due] = [leaf[index], owed(memberId)[index]]
      if (amount !== due) findings.push(`${name} has ${amount} of ${asset}, and owed is ${due}`)
    }
    if (!sameSums(toSums(proof.root.sums), toSums(proofs[0]?.proof.root.sums ?? ['0', '0', '0']))) {
      findings.push(`${name} has another root`)
    }
  }
  const [first] = proofs
  if (first !== undefined && !sameSums(sums, toSums(first.proof.root.sums)))
    findings.push(`the leaves of ${first.proof.day} are ${sums.join()} together, and their root says otherwise`)
  return findings
}

/** Reads what is owed to those who have no leaf of their own, by the tree of a snapshot. */
async function readPlatformLeaf({ db }: Simulation, sequence: bigint): Promise<Sums> {
  const row = await db
    .selectFrom('proof_snapshot')
    .selectAll()
    .where('sequence', '=', sequence)
    .executeTakeFirstOrThrow()
  const proof = must(await readPlatformProof(db, row), 'every snapshot has one')
  return checkPath(proof) === null ? toSums(proof.leaf.owed) : noSums
}

type Loan = { id: bigint; member_id: bigint; collateral_asset: 'JU' | 'HASH' }

/** The ledger as it was after one posting, from its entries alone. */
async function readLedger(simulation: Simulation, { block, sequence }: AsOf) {
  const { db } = simulation
  const entries = await sql<{ account: bigint; amount: bigint }>`
    select account, sum(amount)::numeric as amount from ledger_entry where posting <= ${sequence} group by account`.execute(
    db,
  )
  const paidOut = await sql<{ to_address: string; asset: AssetCode; amount: bigint }>`
    select w.to_address, w.asset, sum(w.payout_amount)::numeric as amount
    from ledger_posting p join withdrawal w on w.withdrawal_no = p.memo->>'withdrawalNo'
    where p.kind = 'withdrawal' and p.seq <= ${sequence} group by 1, 2`.execute(db)
  const loans: Loan[] = await db.selectFrom('loan').select(['id', 'member_id', 'collateral_asset']).execute()
  const balances = new Map(entries.rows.map(({ account, amount }) => [account, amount]))
  const at = (account: AccountId): bigint => balances.get(account) ?? 0n
  const paidByContract = paidBetween(simulation, 0, block)
  return {
    at,
    loans,
    fund: {
      idle: at(platformAccount('fundIdle', 'USDT')),
      claims: at(platformAccount('fundClaims', 'USDT')),
      assets: at(platformAccount('fundIdle', 'USDT')) + at(platformAccount('fundClaims', 'USDT')),
      shares: -at(platformAccount('fundShares', 'SHARE')),
    },
    /** Payments that the ledger has and the contract made after the block; those that it made before and the ledger lacks are negative. */
    paidLater: (asset: AssetCode, account: string): bigint => {
      const row = paidOut.rows.find((one) => one.to_address === account && one.asset === asset)
      return (row?.amount ?? 0n) - paidByContract(asset, account)
    },
  }
}

/**
 * Computes what is owed to each member: what it has, with its part of the fund in kind, less its debts, which take USDT, then fund
 * shares, then collateral, at the prices that the snapshot counted by.
 */
async function owedToAll(
  { db, memberIds }: Simulation,
  { at, loans, fund, paidLater }: Awaited<ReturnType<typeof readLedger>>,
  sequence: bigint,
): Promise<(memberId: bigint) => Sums> {
  const row = await db
    .selectFrom('proof_snapshot')
    .selectAll()
    .where('sequence', '=', sequence)
    .executeTakeFirstOrThrow()
  const prices = { JU: row.price_ju ?? 0n, HASH: row.price_hash ?? 0n }
  const members = [...memberIds].map(([address, memberId]) => {
    const own = loans.filter(({ member_id }) => member_id === memberId)
    const sumOf = (account: (id: bigint) => AccountId) => own.reduce((sum, { id }) => sum + at(account(id)), 0n)
    const has = (asset: AssetCode) =>
      at(memberAccount(memberId, 'memberAvailable', asset)) + at(memberAccount(memberId, 'memberHeld', asset))
    let left = -(['loanPrincipal', 'loanInterest', 'loanCharges'] as const)
      .map((name) => sumOf((id) => loanAccount(id, name, 'USDT')))
      .reduce((sum, part) => sum + part, 0n)
    const taken = { USDT: smaller(left, has('USDT')), HASH: 0n, JU: 0n, worth: 0n }
    left -= taken.USDT
    let shares = at(memberAccount(memberId, 'memberShares', 'SHARE'))
    const worth = shares === 0n ? 0n : worthOf(shares, fund)
    if (worth > 0n) {
      taken.worth = smaller(left, worth)
      shares -= (shares * taken.worth) / worth
      left -= taken.worth
    }
    const holds = { USDT: has('USDT'), HASH: has('HASH'), JU: has('JU') }
    for (const asset of ['JU', 'HASH'] as const) {
      const pledged = sumOf((id) => loanAccount(id, 'loanCollateral', asset))
      holds[asset] += pledged
      if (prices[asset] === 0n || left === 0n) continue
      const needed = (left * WHOLE_UNIT) / prices[asset]
      taken[asset] = smaller(needed, pledged)
      left = needed > pledged ? left - (pledged * prices[asset]) / WHOLE_UNIT : 0n
    }
    return { address, memberId, holds, taken, shares }
  })
  const all = (what: (member: (typeof members)[number]) => bigint) =>
    members.reduce((sum, member) => sum + what(member), 0n)
  const total = Object.fromEntries(assetCodes.map((asset) => [asset, all(({ taken }) => taken[asset])])) as Record<
    AssetCode,
    bigint
  >
  const value = total.USDT + (total.JU * prices.JU) / WHOLE_UNIT + (total.HASH * prices.HASH) / WHOLE_UNIT
  const lent = smaller(fund.claims - all(({ taken }) => taken.worth), value)
  const pool = (asset: AssetCode) =>
    (asset === 'USDT' ? fund.idle : 0n) + (lent > 0n ? (total[asset] * lent) / value : 0n)
  const shares = all((member) => member.shares)
  const owed = new Map(
    members.map((member) => [
      member.memberId,
      proofAssets.map((asset) => {
        const part = member.shares === 0n ? 0n : (member.shares * pool(asset)) / shares
        return member.holds[asset] - member.taken[asset] + part + paidLater(asset, member.address)
      }) as unknown as Sums,
    ]),
  )
  return (memberId) => must(owed.get(memberId), 'every member is counted')
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
