import { expect, test } from 'vitest'
import { createReport } from '../report.ts'
import { contextOf, leafHash, type Node, saltOf, type Sums } from '../sum-tree.ts'
import { checkPlatformLeaf } from './platform-leaf.ts'

const chainId = 210_000
const gateway = `0x${'a1'.repeat(20)}`
const day = '2026-03-01'
const secret = `0x${'07'.repeat(32)}`
const context = contextOf({ chainId, gateway, day })
const node = (member: string, sums: Sums, salt: string): Node => ({
  hash: leafHash(context, { member, owed: sums, salt }),
  sums,
})
const other = (sums: Sums) => node(`0x${'b2'.repeat(20)}`, sums, `0x${'09'.repeat(32)}`)

type Change = {
  owed?: Sums
  members?: number
  others?: readonly Node[]
  isDue?: boolean
  isPublished?: boolean
  says?: string
}

/** Lists the differences, by their subject, where a service says this of the platform's leaf. */
async function differences({
  owed = [5n, 0n, 7n],
  members = 2,
  others = [other([10n ** 16n, 0n, 1n])],
  ...rest
}: Change) {
  const salt = saltOf(context, secret)
  const leaves = [...others, node(gateway, owed, salt)]
  const proof = {
    format: 'candela.proof',
    version: 2,
    chainId,
    gateway,
    day,
    block: 1,
    ledgerSequence: '1',
    path: [],
    secret,
    root: { hash: `0x${'00'.repeat(32)}`, sums: ['0', '0', '0'] },
    leaf: { member: rest.says ?? gateway, position: leaves.length - 1, owed: owed.map(String), salt },
  }
  const service = { read: () => Promise.resolve(rest.isPublished === false ? null : { members, proof }) }
  const report = createReport(() => undefined)
  const attested = { day, root: '', sums: owed, leaves: 2, block: 1, ledgerSequence: 1n, txHash: '', minedIn: 1 }
  await checkPlatformLeaf(report, service, { attested, leaves, chainId, gateway, isDue: rest.isDue ?? false })
  return report.lines.filter(({ result }) => result === 'differs').map(({ subject }) => subject.slice(day.length + 1))
}

test('a leaf that is there, that nobody can claim and that is small enough agrees', async () => {
  expect(await differences({})).toEqual([])
  expect(await differences({ isPublished: false })).toEqual([])
  // Padding is no leaf of anybody.
  expect(await differences({ others: [other([0n, 0n, 0n])] })).toEqual([])
})

test('each thing that could hide what is owed is named', async () => {
  expect(await differences({ isPublished: false, isDue: true })).toEqual(['leaf of the platform'])
  expect(await differences({ says: `0x${'b2'.repeat(20)}` })).toEqual(['leaf of the platform, whose'])
  expect(await differences({ owed: [2n * 10n ** 16n - 1n, 0n, 0n] })).toEqual(['leaf of the platform, amounts'])
  expect(await differences({ owed: [0n, 0n, 4n * 10n ** 15n - 1n] })).toEqual(['leaf of the platform, amounts'])
  expect(await differences({ others: [other([10n ** 16n - 1n, 2n * 10n ** 16n - 1n, 2n * 10n ** 15n - 1n])] })).toEqual(
    ['leaves of less than a step'],
  )
})
