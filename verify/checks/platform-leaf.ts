import { z } from 'zod'
import { toText } from '../amounts.ts'
import { proofForm } from '../proof-form.ts'
import type { Report } from '../report.ts'
import { readAs, type Service } from '../sources/service.ts'
import { contextOf, leafHash, type Node, saltOf, type Sums } from '../sum-tree.ts'
import { toSums } from '../tree-parts.ts'
import type { Attestation } from './attestations.ts'

/** Base units of USDT, HASH and JU from which a member has a leaf of its own: 0.01, 0.02 and 0.002. */
const STEPS: Sums = [10n ** 16n, 2n * 10n ** 16n, 2n * 10n ** 15n]

const platformForm = z.object({ members: z.number(), proof: proofForm })

const isSmall = (sums: Sums) => sums.every((amount, nth) => amount < STEPS[nth]!)
const isNothing = (sums: Sums) => sums.every((amount) => amount === 0n)

/**
 * The one leaf of a day in which those members are who are owed less than the step of every asset: it is in the tree, nobody can claim it, it
 * has no more than so many members can be owed, and no other leaf is as small.
 * @param isDue once a day has had one, every later day has
 * @returns whether the day has one
 */
export async function checkPlatformLeaf(
  report: Report,
  service: Service,
  {
    attested,
    leaves,
    chainId,
    gateway,
    isDue,
  }: {
    attested: Attestation
    leaves: readonly Node[]
    chainId: number
    gateway: string
    isDue: boolean
  },
): Promise<boolean> {
  const name = (what: string) => `${attested.day} leaf of the platform${what}`
  const found = await readAs(service, platformForm, 'solvency/platform', { day: attested.day })
  if (found === null) {
    if (isDue) report.differs('attestations', name(''), 'it is not published, and that of an earlier day is')
    else report.skipped('attestations', name(''), 'every member had a leaf on that day')
    return false
  }
  const { members, proof } = found
  if (proof.version !== 2) {
    report.differs('attestations', name(''), 'it has no secret')
    return true
  }
  report.equal('attestations', name(', whose'), proof.leaf.member.toLowerCase(), gateway)
  const owed = toSums(proof.leaf.owed)
  const context = contextOf({ chainId, gateway, day: attested.day })
  const hash = leafHash(context, { member: gateway, owed, salt: saltOf(context, proof.secret) })
  const position = leaves.findIndex((leaf) => leaf.hash === hash)
  report.equal('attestations', name(', its place'), proof.leaf.position, position)
  const tooMuch = owed.some((amount, nth) => amount > BigInt(members) * (STEPS[nth]! - 1n))
  const text = `${owed.map((amount) => toText(amount)).join(', ')} for ${members} members`
  if (tooMuch) report.differs('attestations', name(', amounts'), `${text} is more than that many can be owed`)
  else report.agrees('attestations', name(', amounts'), text)
  const others = leaves.filter(({ sums }, nth) => nth !== position && !isNothing(sums) && isSmall(sums)).length
  report.equal('attestations', `${attested.day} leaves of less than a step`, 0, others)
  return true
}
