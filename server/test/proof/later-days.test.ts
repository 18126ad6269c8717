import { checkPath, type ProofFile, type SecretProofFile } from '@candela/protocol/proof/proof-file'
import { buildTree, contextHash, leafNode, NODE_BYTES, toHex, writeNode } from '@candela/protocol/proof/sum-tree'
import { collectTree, proofInTree, type TreeLeaves, type TreePart } from '@candela/protocol/proof/tree-file'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { memberAccount } from '@candela/server/ledger/chart'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { followTo } from '@candela/server/modules/power/testing'
import { proofHandlers } from '@candela/server/modules/proof/endpoints'
import { keyOf, seededSalt, seedKey } from '@candela/server/modules/proof/snapshot/leaf-secrets'
import { takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { laterProof } from '../../../verify/later-proof.ts'
import { proofForm, type SecretProof } from '../../../verify/proof-form.ts'
import { readTree } from '../../../verify/tree-parts.ts'
import { type Scenario, startLending, WHOLE } from '../lending/lending-scenario.ts'
import { attestedAs, attestSnapshot, oneConfirmation, someHoldings } from './attested.ts'

const days = ['2026-03-01', '2026-03-02', '2026-03-03'] as const
const [FIRST, , LAST] = days
const quiet = () => undefined

function asked({ db, contextOf }: Scenario) {
  const handlers = proofHandlers({ db })
  return {
    proof: (id: bigint, day: string): Promise<ProofFile> => handlers['GET solvency/proof']({ day }, contextOf(id)),
    /** Every part of a day's tree, as anybody can download it. */
    mirror: async (day: string): Promise<TreePart[]> => {
      const first = await handlers['GET solvency/tree']({ day, part: 0 }, {} as never)
      const parts = [first]
      for (let part = 1; part < first.parts; part += 1)
        parts.push(await handlers['GET solvency/tree']({ day, part }, {} as never))
      return parts
    },
  }
}

function leavesOf(parts: readonly TreePart[]): TreeLeaves {
  const tree = collectTree(parts[0]?.day ?? '')
  for (const part of parts) expect(tree.add(part)).toBe(true)
  const leaves = tree.leaves()
  if (leaves === null) throw new Error('a part is missing')
  return leaves
}

/** As the verifier reads it: from files in a folder. */
async function verifiersTree(parts: readonly TreePart[]) {
  const folder = await mkdtemp(join(tmpdir(), 'candela-mirror-'))
  try {
    for (const part of parts)
      await writeFile(
        join(folder, `service_solvency_tree_day_${part.day}_part_${part.part}.json`),
        JSON.stringify(part),
      )
    await writeFile(join(folder, 'service_solvency_tree_day_2025-01-01_part_0.json'), '{}')
    return await readTree(folder, null, quiet)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Proves as the verifier does. @throws when it finds no leaf */
const verifiersProof = (saved: SecretProofFile, tree: Awaited<ReturnType<typeof verifiersTree>>) =>
  laterProof(proofForm.parse(saved) as SecretProof, tree, quiet)

test('a proof of an old day and a mirror of the last tree give what the service itself proves of the last day', async () => {
  await using scenario = await startLending()
  const { db, clock, alice, bob, fay } = scenario
  await followTo(db, 1n, clock.now())
  const members = [alice, bob, fay]
  for (let index = 0; index < 130; index += 1)
    members.push(await scenario.join(index % 9 === 0 ? { USDT: 5n } : { JU: 1n }))
  await attestSnapshot(db, FIRST, clock)
  const { proof, mirror } = asked(scenario)
  const saved = await Promise.all(members.map((id) => proof(id, FIRST)))
  // Everything is another on the last day: amounts, how many there are, places.
  for (const id of [alice, fay]) await scenario.put(memberAccount(id, 'memberAvailable', 'JU'), 'JU', 17n * WHOLE + 1n)
  for (let index = 0; index < 130; index += 1) await scenario.join({ HASH: 1n })
  await attestSnapshot(db, days[1], clock)
  await attestSnapshot(db, LAST, clock)
  const parts = await mirror(LAST)
  expect(parts).toHaveLength(2)
  const [leaves, folder] = [leavesOf(parts), await verifiersTree(parts.toReversed())]
  for (const nth of [0, 1, 2, 50, 132]) {
    const old = saved[nth] as SecretProofFile
    const current = await proof(members[nth] as bigint, LAST)
    expect(current.leaf).not.toEqual(old.leaf)
    expect(checkPath(current)).toBeNull()
    expect((await proofInTree(old, leaves)).proof).toEqual(current)
    expect(verifiersProof(old, folder)).toEqual(current)
  }
})

test('a mirror that was tampered with, another secret and a newcomer are found by both', async () => {
  await using scenario = await startLending()
  const { db, clock, alice, bob } = scenario
  await followTo(db, 1n, clock.now())
  await attestSnapshot(db, FIRST, clock)
  const late = await scenario.join({ USDT: 5n })
  await attestSnapshot(db, LAST, clock)
  const { proof, mirror } = asked(scenario)
  const [own, other] = [(await proof(alice, FIRST)) as SecretProofFile, (await proof(bob, FIRST)) as SecretProofFile]
  const current = await proof(alice, LAST)
  const parts = await mirror(LAST)
  const { position } = current.leaf
  const altered = structuredClone(parts)
  const sibling = altered[0]?.items[position === 0 ? 1 : 0]
  sibling!.sums = ['1', '2', '3']
  const after = await proofInTree(own, leavesOf(altered))
  expect(toHex(after.root.hash)).not.toBe(current.root.hash)
  expect(verifiersProof(own, await verifiersTree(altered)).root.hash).toBe(toHex(after.root.hash))
  altered[0]!.items[position]!.sums = ['1', '2', '3']
  const stolen: SecretProofFile = { ...own, secret: other.secret }
  for (const [saved, tree] of [
    [own, altered],
    [stolen, parts],
  ] as const) {
    expect((await proofInTree(saved, leavesOf(tree))).proof).toBeNull()
    const files = await verifiersTree(tree)
    expect(() => verifiersProof(saved, files)).toThrow('no leaf')
  }
  expect(checkPath(stolen)).toBe('salt')
  // A member who joined later has a leaf by its own proof alone, and none in the tree of before.
  const newcomer = (await proof(late, LAST)) as SecretProofFile
  expect((await proofInTree(newcomer, leavesOf(parts))).proof).toEqual(newcomer)
  expect((await proofInTree(newcomer, leavesOf(await mirror(FIRST)))).proof).toBeNull()
  await expect(verifiersTree([{ ...parts[0]!, parts: 2 }])).rejects.toThrow(
    'part 1 of the tree of 2026-03-03 is missing',
  )
  await expect(verifiersTree([])).rejects.toThrow('no part of the tree of 2025-01-01')
})

test('a member has one secret for all days, which no other member has, and two workers make it once', async () => {
  await using scenario = await startLending()
  const { db, clock } = scenario
  await followTo(db, 1n, clock.now())
  expect(await db.selectFrom('proof_key').selectAll().execute()).toEqual([])
  const config = oneConfirmation()
  const workers = [1, 2].map(() => snapshotDeps({ db, clock, config, payouts: { holdings: someHoldings } }))
  await Promise.all(workers.map((deps, nth) => takeSnapshot(deps, days[nth] as string)))
  const kept = await db.selectFrom('proof_key').select('key').execute()
  expect(kept).toHaveLength(1)
  const { proof } = asked(scenario)
  const secrets = new Map<bigint, string[]>()
  for (const day of days.slice(0, 2)) {
    await attestedAs(db, day, clock.now())
    for (const id of [scenario.alice, scenario.bob]) {
      const { secret } = (await proof(id, day)) as SecretProofFile
      secrets.set(id, [...(secrets.get(id) ?? []), secret])
      expect(secret).not.toBe(toHex(kept[0]?.key ?? Buffer.alloc(0)))
    }
  }
  const [alices = [], bobs = []] = [secrets.get(scenario.alice), secrets.get(scenario.bob)]
  expect([alices.length, new Set(alices).size, new Set(bobs).size, new Set([...alices, ...bobs]).size]).toEqual([
    2, 1, 1, 2,
  ])
})

test('a snapshot of before members had secrets still gives its proofs, without a secret', async () => {
  await using scenario = await startLending()
  const { db, clock, alice } = scenario
  await followTo(db, 1n, clock.now())
  await attestSnapshot(db, FIRST, clock)
  const { proof } = asked(scenario)
  const { leaf, gateway } = await proof(alice, FIRST)
  // As the database was left by the service of before: one leaf, its salt from the seed of the day.
  const seed = Buffer.alloc(32, 9)
  const salt = seededSalt(seedKey(seed), alice)
  const owed = [BigInt(leaf.owed[0]), BigInt(leaf.owed[1]), BigInt(leaf.owed[2])] as const
  const [[root] = []] = buildTree([
    leafNode(contextHash({ chainId: CHAIN_ID, gateway, day: FIRST }), { member: leaf.member, owed, salt }),
  ])
  const nodes = Buffer.alloc(NODE_BYTES)
  writeNode(nodes, 0, root!)
  const keys = Buffer.from(keyOf(salt))
  await db.updateTable('proof_piece').set({ keys, first_key: keys, nodes }).where('day', '=', FIRST).execute()
  const sums = { owed_usdt: owed[0], owed_hash: owed[1], owed_ju: owed[2] }
  await db
    .updateTable('proof_snapshot')
    .set({ seed, depth: 0, root: toHex(root!.hash), ...sums })
    .where('day', '=', FIRST)
    .execute()
  const old = await proof(alice, FIRST)
  expect(old).toMatchObject({ version: 1, path: [], leaf: { position: 0, salt: toHex(salt) } })
  expect(old).not.toHaveProperty('secret')
  expect(checkPath(old)).toBeNull()
})
