import { decodeAbiParameters, keccak256, parseAbiParameters, stringToHex } from 'viem'
import { z } from 'zod'
import { type Asset, toBase, toText } from '../amounts.ts'
import type { ChainSource } from '../sources/chain-facts.ts'
import { dayOf, DAY_S } from '../days.ts'
import type { Report } from '../report.ts'
import { readLogsInPieces } from '../sources/saved.ts'
import { readAs, type Service } from '../sources/service.ts'
import { type Node, rootOver, type Sums } from '../sum-tree.ts'
import { toNode, treeForm } from '../tree-parts.ts'

/** An attestation, as the contract says. */
export type Attestation = {
  day: string
  root: string
  sums: Sums
  leaves: number
  block: number
  ledgerSequence: bigint
  txHash: string
  /** The block of its transaction; `block` is the one that it speaks of. */
  minedIn: number
}

const topic = keccak256(stringToHex('Attested(uint256,bytes32,uint128[3],uint256,uint256,uint256)'))
const eventData = parseAbiParameters('bytes32, uint128[3], uint256, uint256, uint256')

/** Every attestation, oldest first, but for the one by which the contract was opened. */
export async function readAttestations(
  source: ChainSource,
  gateway: string,
  range: { from: number; to: number; final: number },
): Promise<Attestation[]> {
  const logs = await readLogsInPieces(source, 'attested', { address: gateway, topics: [topic] }, range)
  const attestations = logs.map(({ topics: [, day = '0x0'], data, txHash, blockNumber }) => {
    const [root, sums, leaves, block, ledgerSequence] = decodeAbiParameters(eventData, data)
    return {
      day: dayOf(Number(day) * DAY_S),
      root,
      sums,
      leaves: Number(leaves),
      block: Number(block),
      ledgerSequence,
      txHash,
      minedIn: blockNumber,
    }
  })
  return attestations.filter((one, nth) => nth !== 0 || !isOpening(one))
}

/** Before anything is owed somebody has to attest that: no money comes in before. There is no tree of it. */
const isOpening = ({ leaves, sums }: Attestation): boolean => leaves === 1 && sums.every((sum) => sum === 0n)

/**
 * The attestations that the service must have published: a block that may still be replaced holds none of them, unless the service
 * answers for it already.
 */
export const attestationsDue = (
  attestations: readonly Attestation[],
  latest: Latest | null,
  final: number,
): readonly Attestation[] =>
  attestations.filter(({ minedIn, day }) => minedIn <= final || (latest !== null && day <= latest.day))

export const latestForm = z.object({
  attestation: z
    .object({
      day: z.string(),
      block: z.number(),
      ledgerSequence: z.string(),
      root: z.string(),
      leaves: z.number(),
      txHash: z.string(),
      assets: z.array(
        z.object({
          asset: z.enum(['USDT', 'HASH', 'JU']),
          owed: z.string(),
          held: z.string(),
          ratio: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
})

/** The last attestation, as the service says. */
export type Latest = NonNullable<z.infer<typeof latestForm>['attestation']>

/**
 * The tree of a day as it can be downloaded leads to the attested root, and its leaves sum to the attested sums.
 * @returns its leaves; null where a part is missing or another one
 */
export async function checkTree(report: Report, service: Service, attested: Attestation): Promise<Node[] | null> {
  const differs = (why: string) => {
    report.differs('attestations', `${attested.day} tree`, why)
    return null
  }
  const leaves: Node[] = []
  for (let part = 0, parts = 1; part < parts; part++) {
    const piece = await readAs(service, treeForm, 'solvency/tree', { day: attested.day, part: String(part) })
    if (piece === null) return differs(`part ${part} is not published`)
    parts = piece.parts
    // Kept parts have to say of themselves what they are: who opens them later has nothing else.
    const says = [piece.day, piece.part, piece.block, piece.ledgerSequence].join(', ')
    const is = [attested.day, part, attested.block, attested.ledgerSequence].join(', ')
    if (says !== is) return differs(`part ${part} says ${says}, not ${is}`)
    for (const item of piece.items) leaves.push(toNode(item))
    report.progress(`tree of ${attested.day}: ${leaves.length} of ${attested.leaves} leaves`)
  }
  report.equal('attestations', `${attested.day} leaves`, attested.leaves, leaves.length)
  try {
    const root = rootOver(leaves)
    report.equal('attestations', `${attested.day} root`, attested.root, root.hash)
    report.equal(
      'attestations',
      `${attested.day} sums`,
      attested.sums.map((each) => toText(each)),
      root.sums.map((each) => toText(each)),
    )
  } catch (error) {
    return differs(String(error))
  }
  return leaves
}

/** Checks what the service says is the last attestation, and what was held at its block. @param readHeld by the node at that block */
export async function checkLatest(
  report: Report,
  latest: Latest | null,
  attestations: readonly Attestation[],
  readHeld: (asset: Asset, block: number) => Promise<bigint>,
): Promise<void> {
  const last = attestations.at(-1) ?? null
  if (latest === null || last === null) {
    report.equal('attestations', 'last one', latest?.day ?? 'none', last?.day ?? 'none')
    return
  }
  report.equal('attestations', 'last day', latest.day, last.day)
  report.equal('attestations', 'last root', latest.root, last.root)
  report.equal('attestations', 'last block', latest.block, last.block)
  report.equal('attestations', 'last ledger sequence', latest.ledgerSequence, last.ledgerSequence)
  report.equal('attestations', 'last number of leaves', latest.leaves, last.leaves)
  report.equal('attestations', 'last transaction', latest.txHash, last.txHash)
  for (const [nth, asset] of (['USDT', 'HASH', 'JU'] as const).entries()) {
    const line = latest.assets.find((one) => one.asset === asset)
    if (line === undefined) {
      report.differs('attestations', `last ${asset}`, 'nothing is published')
      continue
    }
    report.equal('attestations', `last ${asset} owed`, line.owed, toText(last.sums[nth] ?? 0n))
    const held = await readHeld(asset, last.block).catch((error: unknown) => String(error))
    if (typeof held === 'string') report.skipped('attestations', `last ${asset} held`, held)
    else report.equal('attestations', `last ${asset} held`, line.held, toText(held))
    const [held18, owed18] = [toBase(line.held), toBase(line.owed)]
    const ratio = owed18 === 0n ? 'none' : toText((held18 * 10n ** 18n) / owed18)
    report.equal('attestations', `last ${asset} ratio`, line.ratio ?? 'none', ratio)
  }
}
