import { worthOf } from '@candela/protocol/fund/fund'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { owedByParts, owedParts } from '@candela/protocol/proof/owed-parts'
import { checkPath, leafOf, type ProofFile, proofFile } from '@candela/protocol/proof/proof-file'
import { addSums, noSums, proofAssets, type Sums } from '@candela/protocol/proof/sum-tree'
import { readAddress } from '@candela/server/modules/member/read-address'
import { atOneSequence } from '@candela/server/ledger/at-one-sequence'
import { accountBalance, memberBalances } from '@candela/server/ledger/balances'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { proofHandlers } from '@candela/server/modules/proof/endpoints'
import { readMembers, SumsDiffer } from '@candela/server/modules/proof/snapshot/read-members'
import { takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { addressOf, followTo } from '@candela/server/modules/power/testing'
import { transaction } from '@candela/server/db/open'
import { post } from '@candela/server/ledger/post'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'
import { type Scenario, startLending, WHOLE } from '../lending/lending-scenario.ts'
import { attestedAs, oneConfirmation, someHoldings } from './attested.ts'

const GATEWAY = addressOf(901)
const DAY = '2026-03-01'

/** Computes what is owed, by the rule as it is written down, from the rows as they are: not by the code that is tested. */
async function expectedOf({ db, rates }: Scenario, ids: readonly bigint[]): Promise<Map<bigint, Sums>> {
  const rows = await db.selectFrom('ledger_account').select(['id', 'balance']).execute()
  const loans = await db.selectFrom('loan_with_debt').selectAll().execute()
  const balanceOf = new Map(rows.map(({ id, balance }) => [id, balance]))
  const fund = await readFund(db)
  // The digits of an account: member, chart (100 available, 110 held, 120 shares), asset (1 JU, 2 USDT, 3 HASH, 4 share).
  const at = (id: bigint, chart: bigint, asset: bigint) => balanceOf.get(id * 100_000n + chart * 100n + asset) ?? 0n
  const priceOf = (asset: 'JU' | 'HASH') => (BigInt(rates[asset].average) * WHOLE) / 1_000n
  const members = ids.map((id) => {
    const has = (asset: bigint) => at(id, 100n, asset) + at(id, 110n, asset)
    let debt = 0n
    const pledged = { JU: 0n, HASH: 0n }
    for (const loan of loans.filter(({ member_id }) => member_id === id)) {
      debt += loan.principal + loan.interest_charged - loan.interest_paid + loan.late_charged - loan.late_paid
      pledged[loan.collateral_asset] += loan.collateral
    }
    const taken = { USDT: debt < has(2n) ? debt : has(2n), JU: 0n, HASH: 0n, worth: 0n }
    let rest = debt - taken.USDT
    let shares = at(id, 120n, 4n)
    const worth = worthOf(shares, fund)
    if (worth > 0n) {
      taken.worth = rest < worth ? rest : worth
      shares -= (shares * taken.worth) / worth
      rest -= taken.worth
    }
    for (const asset of ['JU', 'HASH'] as const) {
      const price = priceOf(asset)
      const needed = (rest * WHOLE) / price
      taken[asset] = needed > pledged[asset] ? pledged[asset] : needed
      rest = needed > pledged[asset] ? rest - (pledged[asset] * price) / WHOLE : 0n
    }
    return { id, shares, taken, owed: { USDT: has(2n), HASH: has(3n) + pledged.HASH, JU: has(1n) + pledged.JU } }
  })
  const all = (what: (member: (typeof members)[number]) => bigint) =>
    members.reduce((sum, member) => sum + what(member), 0n)
  const total = {
    USDT: all(({ taken }) => taken.USDT),
    HASH: all(({ taken }) => taken.HASH),
    JU: all(({ taken }) => taken.JU),
  }
  const value = total.USDT + (total.JU * priceOf('JU')) / WHOLE + (total.HASH * priceOf('HASH')) / WHOLE
  const lent = fund.claims - all(({ taken }) => taken.worth)
  const claims = lent < value ? lent : value
  const shares = all((member) => member.shares)
  return new Map(
    members.map((member) => {
      const owed = (asset: 'USDT' | 'HASH' | 'JU') => {
        const pool = (asset === 'USDT' ? fund.idle : 0n) + (value === 0n ? 0n : (total[asset] * claims) / value)
        const part = member.shares === 0n ? 0n : (pool * member.shares) / shares
        return member.owed[asset] - member.taken[asset] + part
      }
      return [member.id, [owed('USDT'), owed('HASH'), owed('JU')]]
    }),
  )
}

function depsOf(scenario: Scenario) {
  const { db, clock, rates } = scenario
  const config = oneConfirmation(GATEWAY)
  const deps = snapshotDeps({ db, clock, config, payouts: { holdings: someHoldings } })
  const priceOf = (asset: 'JU' | 'HASH') => (BigInt(rates[asset].average) * WHOLE) / 1_000n
  return {
    ...deps,
    sources: { ...deps.sources, readPrices: () => Promise.resolve({ JU: priceOf('JU'), HASH: priceOf('HASH') }) },
  }
}

/** A small generator with a seed: the same worlds in each run. */
function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function proofsOf({ db, clock }: Scenario, day: string) {
  await attestedAs(db, day, clock.now())
  return proofHandlers({ db })
}

test('in 200 random worlds the tree has what each member is owed, and the ledger’s sums', async () => {
  await using scenario = await startLending()
  const { db, handlers, contextOf, requestId } = scenario
  await followTo(db, 1n, scenario.clock.now())
  const random = randomOf(20261122)
  const members = [scenario.alice, scenario.bob, scenario.fay]
  const deps = depsOf(scenario)
  const pick = () => members[random(members.length)] as bigint
  const moves = [
    async () => members.push(await scenario.join({ USDT: BigInt(random(3_000)) + 1n, JU: BigInt(random(50)) + 1n })),
    () => scenario.put(memberAccount(pick(), 'memberAvailable', 'HASH'), 'HASH', BigInt(random(1e9)) + 1n),
    () =>
      scenario
        .put(memberAccount(pick(), 'memberHeld', assetCodes[random(3)] as AssetCode), assetCodes[0], 1n)
        .catch(() => 0),
    () => scenario.borrow(pick(), BigInt(10 + random(400)), BigInt(100 + random(900))),
    () =>
      scenario.borrow(pick(), BigInt(10 + random(100)), BigInt(500 + random(900)), { project: scenario.hashProjectNo }),
    () =>
      handlers['POST finance/transferIn'](
        { amount: BigInt(1 + random(200)) * WHOLE, requestId: requestId() },
        contextOf(pick()),
      ),
    async () => scenario.price('JU', 20 + random(4_000)),
    async () => scenario.price('HASH', 5 + random(1_000)),
    async () => {
      const [id, asset] = [pick(), assetCodes[random(3)] as AssetCode]
      const amount = (await memberBalances(db, id))[asset].available / 3n
      if (amount === 0n) return
      const legs = [
        { debit: memberAccount(id, 'memberAvailable', asset), credit: memberAccount(id, 'memberHeld', asset), amount },
      ]
      const posting = {
        id: scenario.ids.uuid(),
        kind: 'deposit' as const,
        legs,
        memo: testMemo(),
        occurredAt: scenario.clock.now(),
      }
      await transaction(db, (tx) => post(tx, posting))
    },
  ]
  let moved = 0
  for (let world = 0; world < 200; world += 1) {
    const move = moves[random(moves.length)] as (typeof moves)[number]
    // Not enough balance or collateral is an answer, and leaves the world as it was.
    moved += await Promise.resolve(move()).then(
      () => 1,
      () => 0,
    )
    const expected = await expectedOf(scenario, members)
    const found = new Map<bigint, Sums>()
    const { sums } = await atOneSequence(db, (tx) =>
      readMembers(tx, deps.sources, [], ({ id }, owed) => found.set(id, owed)),
    )
    expect(found).toEqual(expected)
    expect(sums).toEqual([...expected.values()].reduce(addSums, noSums))
  }
  expect(moved).toBeGreaterThan(120)
  expect((await db.selectFrom('loan').select('id').execute()).length).toBeGreaterThan(5)

  expect(await takeSnapshot(deps, DAY)).toBe(true)
  expect(await takeSnapshot(deps, DAY)).toBe(false)
  const proofs = await proofsOf(scenario, DAY)
  const expected = await expectedOf(scenario, members)
  const positions = new Set<number>()
  for (const id of members) {
    const proof: ProofFile = proofFile.parse(await proofs['GET solvency/proof']({}, contextOf(id)))
    expect(checkPath(proof)).toBeNull()
    expect(leafOf(proof).owed).toEqual(expected.get(id))
    const parts = owedParts.parse(await proofs['GET solvency/owed']({}, contextOf(id)))
    expect([parts.day, parts.ledgerSequence]).toEqual([proof.day, proof.ledgerSequence])
    expect(owedByParts(parts)).toEqual(expected.get(id))
    expect(proof.leaf.member).toBe(await readAddress(db, id))
    positions.add(proof.leaf.position)
  }
  expect(positions.size).toBe(members.length)
  const latest = (await proofs['GET solvency/latest']({}, {} as never)).attestation
  const tree = await proofs['GET solvency/tree']({ day: DAY, part: 0 }, {} as never)
  expect(tree.items).toHaveLength(latest?.leaves ?? 0)
  const total = tree.items
    .map(({ sums }): Sums => [BigInt(sums[0]), BigInt(sums[1]), BigInt(sums[2])])
    .reduce(addSums, noSums)
  expect(total).toEqual([...expected.values()].reduce(addSums, noSums))
  expect(latest?.assets.map(({ asset }) => asset)).toEqual([...proofAssets])
  await scenario.expectSound()
})

test('a member left out, or a loan that the ledger does not know, is refused', async () => {
  await using scenario = await startLending()
  const { db } = scenario
  await scenario.borrow(scenario.alice, 100n, 500n)
  const { sources } = depsOf(scenario)
  const read = (changed: Partial<typeof sources>) =>
    atOneSequence(db, (tx) => readMembers(tx, { ...sources, ...changed }, [], () => undefined))
  expect((await read({})).sums[0]).toBeGreaterThan(0n)
  const without: typeof sources.listAddresses = async (tx, after, limit) =>
    (await sources.listAddresses(tx, after, limit)).filter(({ id }) => id !== scenario.bob)
  await expect(read({ listAddresses: without })).rejects.toThrow(SumsDiffer)
  await expect(read({ listOpenDebts: () => Promise.resolve([]) })).rejects.toThrow(SumsDiffer)
  const strange: typeof sources.listOpenDebts = async (tx) =>
    (await sources.listOpenDebts(tx)).map((debt) => ({ ...debt, memberId: 10n ** 9n }))
  await expect(read({ listOpenDebts: strange })).rejects.toThrow('a loan belongs to no member')
  const diluted: typeof sources.readFund = async (tx) => {
    const fund = await sources.readFund(tx)
    return { ...fund, shares: fund.shares + 1n }
  }
  await expect(read({ readFund: diluted })).rejects.toThrow('shares of the fund')
  const paid = [{ to: addressOf(700), asset: 'USDT' as const, amount: 5n }]
  await expect(atOneSequence(db, (tx) => readMembers(tx, sources, paid, () => undefined))).rejects.toThrow('no member')
})

test('a payment in a block after the attested one is owed as of that block', async () => {
  await using scenario = await startLending()
  const { sources } = depsOf(scenario)
  const found = async (paid: Parameters<typeof readMembers>[2]) => {
    const all = new Map<bigint, Sums>()
    await atOneSequence(scenario.db, (tx) => readMembers(tx, sources, paid, ({ id }, owed) => all.set(id, owed)))
    return all.get(scenario.bob)
  }
  const before = await found([])
  const to = await readAddress(scenario.db, scenario.bob)
  const after = await found([
    { to, asset: 'USDT', amount: 5n },
    { to, asset: 'JU', amount: 7n },
  ])
  expect(after).toEqual([(before?.[0] ?? 0n) + 5n, before?.[1], (before?.[2] ?? 0n) + 7n])
})

test('neither order nor salts of one day say anything about another', async () => {
  await using scenario = await startLending()
  const { db, contextOf } = scenario
  await followTo(db, 1n, scenario.clock.now())
  const members = [scenario.alice, scenario.bob, scenario.fay]
  for (let index = 0; index < 40; index += 1) members.push(await scenario.join({ USDT: 1n }))
  const places: number[][] = []
  const salts = new Set<string>()
  for (const day of ['2026-03-01', '2026-03-02']) {
    await takeSnapshot(depsOf(scenario), day)
    const proofs = await proofsOf(scenario, day)
    const own = await Promise.all(members.map((id) => proofs['GET solvency/proof']({ day }, contextOf(id) as never)))
    places.push(own.map(({ leaf }) => leaf.position))
    for (const { leaf } of own) salts.add(leaf.salt)
  }
  const [first = [], second = []] = places
  expect(salts.size).toBe(2 * members.length)
  expect(second).not.toEqual(first)
  // Neither is in the order in which members joined, nor do the pads come last.
  for (const day of places) expect(day).not.toEqual(day.toSorted((one, other) => one - other))
  expect(Math.max(...first)).toBeGreaterThan(members.length - 1)
  // Nothing that gives the padding away is kept.
  expect(await db.selectFrom('proof_snapshot').select('seed').execute()).toEqual([{ seed: null }, { seed: null }])
})

test('postings go on while a snapshot is read, and none of them is in it', async () => {
  await using scenario = await startLending()
  const { db } = scenario
  const account = platformAccount('deskInventory', 'USDT')
  await atOneSequence(db, async (tx, sequence) => {
    const before = await accountBalance(tx, account)
    await scenario.put(account, 'USDT', 5n)
    expect(await accountBalance(db, account)).toBe(before + 5n)
    expect(await accountBalance(tx, account)).toBe(before)
    const later = await sql<{ count: bigint }>`select count(*) from ledger_posting where seq > ${sequence}`.execute(db)
    expect(later.rows[0]?.count).toBe(1n)
  })
})

test('a snapshot waits until a posting that is under way has ended', async () => {
  await using scenario = await startLending()
  const { db } = scenario
  const account = platformAccount('deskInventory', 'USDT')
  const done: string[] = []
  let snapshot: Promise<void> | undefined
  await transaction(db, async (tx) => {
    await scenario.putWithin(tx, account, 'USDT', 5n)
    snapshot = atOneSequence(db, async () => {
      done.push('snapshot')
    })
    // Two more postings are not kept waiting by it.
    await scenario.put(platformAccount('deskInventory', 'JU'), 'JU', 1n)
    await scenario.put(platformAccount('deskInventory', 'JU'), 'JU', 1n)
    done.push('posting')
  })
  await snapshot
  expect(done).toEqual(['posting', 'snapshot'])
})
