import { dustSteps } from '@candela/protocol/money/dust'
import { hasOwnLeaf } from '@candela/protocol/proof/owed'
import { owedByParts } from '@candela/protocol/proof/owed-parts'
import { checkPath, toSums } from '@candela/protocol/proof/proof-file'
import { memberAccount } from '@candela/server/ledger/chart'
import { addMember, addressOf, followTo } from '@candela/server/modules/power/testing'
import { proofHandlers } from '@candela/server/modules/proof/endpoints'
import { MINUTE_MS } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import { type Scenario, startLending } from '../lending/lending-scenario.ts'
import { attestSnapshot } from './attested.ts'

const [FIRST, SECOND] = ['2026-03-01', '2026-03-02']

async function start() {
  const scenario = await startLending()
  await followTo(scenario.db, 1n, scenario.clock.now())
  return scenario
}

function asked({ db, contextOf }: Scenario) {
  const handlers = proofHandlers({ db })
  return {
    proof: (id: bigint, day: string) => handlers['GET solvency/proof']({ day }, contextOf(id)),
    owed: (id: bigint, day: string) => handlers['GET solvency/owed']({ day }, contextOf(id)),
    platform: (day: string) => handlers['GET solvency/platform']({ day }, {} as never),
    leaves: async () => (await handlers['GET solvency/latest']({}, {} as never)).attestation?.leaves,
  }
}

const joinWith = async (scenario: Scenario, asset: 'USDT' | 'JU' | 'HASH', amount: bigint): Promise<bigint> => {
  const id = await scenario.join({})
  await scenario.put(memberAccount(id, 'memberAvailable', asset), asset, amount)
  return id
}

test('an account that is owed nothing costs no leaf, however many there are', async () => {
  await using scenario = await start()
  const { db, clock } = scenario
  await attestSnapshot(db, FIRST, clock)
  const before = await asked(scenario).leaves()
  for (let nth = 0; nth < 300; nth += 1) await addMember(db, addressOf(50_000 + nth))
  await attestSnapshot(db, SECOND, clock)
  expect(await asked(scenario).leaves()).toBe(before)
  // One that is owed something has one.
  const rich = await joinWith(scenario, 'USDT', dustSteps.USDT)
  await attestSnapshot(db, '2026-03-03', clock)
  expect(toSums((await asked(scenario).proof(rich, '2026-03-03')).leaf.owed)).toEqual([dustSteps.USDT, 0n, 0n])
})

test.each(['USDT', 'HASH', 'JU'] as const)(
  'of less than a step of %s there is no leaf, but in the sum of the platform’s',
  async (asset) => {
    await using scenario = await start()
    const { db, clock } = scenario
    const step = dustSteps[asset]
    const [below, at] = [await joinWith(scenario, asset, step - 1n), await joinWith(scenario, asset, step)]
    const other = await joinWith(scenario, asset, 7n)
    await attestSnapshot(db, FIRST, clock)
    const { proof, owed, platform } = asked(scenario)
    expect(checkPath(await proof(at, FIRST))).toBeNull()
    for (const id of [below, other]) await expect(proof(id, FIRST)).rejects.toMatchObject({ code: 404 })
    const sums = owedByParts(await owed(below, FIRST))
    expect([sums.reduce((total, each) => total + each, 0n), hasOwnLeaf(sums)]).toEqual([step - 1n, false])
    const leaf = await platform(FIRST)
    expect(leaf.members).toBe(2)
    expect(checkPath(leaf.proof)).toBeNull()
    expect(leaf.proof.leaf.member).toBe(leaf.proof.gateway)
    expect(toSums(leaf.proof.leaf.owed).reduce((total, each) => total + each, 0n)).toBe(step + 6n)
  },
)

test('who has dust of each asset but the step of one has a leaf with all of it', async () => {
  await using scenario = await start()
  const { db, clock } = scenario
  const id = await joinWith(scenario, 'USDT', dustSteps.USDT)
  await scenario.put(memberAccount(id, 'memberHeld', 'JU'), 'JU', 5n)
  await attestSnapshot(db, FIRST, clock)
  const { proof, platform } = asked(scenario)
  expect(toSums((await proof(id, FIRST)).leaf.owed)).toEqual([dustSteps.USDT, 0n, 5n])
  expect(await platform(FIRST)).toMatchObject({ members: 0, proof: { leaf: { owed: ['0', '0', '0'] } } })
})

test('who joined after the snapshot is told nothing of it, nor is a day without an attestation', async () => {
  await using scenario = await start()
  const { db, clock, alice } = scenario
  await attestSnapshot(db, FIRST, clock)
  const late = await scenario.join({})
  const joined_at = new Date(clock.now().getTime() + MINUTE_MS)
  await db.updateTable('member').set({ joined_at }).where('id', '=', late).execute()
  const { owed, platform } = asked(scenario)
  expect((await owed(alice, FIRST)).day).toBe(FIRST)
  await expect(owed(late, FIRST)).rejects.toMatchObject({ code: 404 })
  await expect(platform(SECOND)).rejects.toMatchObject({ code: 404 })
})

test('in a snapshot of before, every member has a leaf and the platform none', async () => {
  await using scenario = await start()
  const { db, clock, alice } = scenario
  await attestSnapshot(db, FIRST, clock)
  const { platform, proof, owed } = asked(scenario)
  expect((await platform(FIRST)).members).toBe(0)
  await db.updateTable('proof_snapshot').set({ small_members: null }).execute()
  await expect(platform(FIRST)).rejects.toMatchObject({ code: 404 })
  expect((await proof(alice, FIRST)).day).toBe(FIRST)
  expect((await owed(alice, FIRST)).day).toBe(FIRST)
})
