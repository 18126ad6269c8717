import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { dayNumber } from '@candela/protocol/proof/sum-tree'
import type { ProofFile } from '@candela/protocol/proof/proof-file'
import {
  decodeFunctionResult,
  encodeFunctionData,
  encodeEventTopics,
  decodeEventLog,
  type Hex,
  numberToHex,
} from 'viem'

/** One question to a node, as EIP-1193 has it: by the wallet, or by an RPC that the person names. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The attestation of a day, as the chain tells it. Base units of USDT, HASH and JU. */
export type AttestedDay = {
  root: string
  sums: readonly bigint[]
  leaves: bigint
  block: bigint
  ledgerSequence: bigint
  /** The block of the attestation itself; `block` is the one that it speaks of. */
  minedIn: Hex
}

type Gateway = { gateway: string }
const abi = paymentGatewayAbi

/** Null when nothing was attested for the proof's day. @throws what `ask` throws */
export async function readAttestedDay(ask: Ask, { gateway, day, block }: ProofFile): Promise<AttestedDay | null> {
  const topics = encodeEventTopics({ abi, eventName: 'Attested', args: { day: BigInt(dayNumber(day)) } })
  const filter = { address: gateway, topics, fromBlock: numberToHex(block), toBlock: 'latest' }
  const [log] = (await ask('eth_getLogs', [filter])) as { data: Hex; topics: [Hex, ...Hex[]]; blockNumber: Hex }[]
  if (log === undefined) return null
  const { args } = decodeEventLog({ abi, eventName: 'Attested', data: log.data, topics: log.topics })
  const { root, sums: owed, leaves, blockNumber, ledgerSequence } = args
  return { root, sums: owed, leaves, block: blockNumber, ledgerSequence, minedIn: log.blockNumber }
}

/** The amounts that the contract held at a block, or holds now, in the order of the sums. */
export type Held = { amounts: bigint[]; isNow: boolean }

/**
 * Reads what the contract held at the attested block; where the node does not have that state any more, as most have it for minutes
 * only, what it holds now. @throws what `ask` throws when it has neither
 */
export async function readHeld(ask: Ask, gateway: Gateway, { block, minedIn }: AttestedDay): Promise<Held> {
  try {
    return { amounts: await heldAt(ask, gateway, { balances: numberToHex(block), attestation: minedIn }), isNow: false }
  } catch {
    return { amounts: await heldAt(ask, gateway, { balances: 'latest', attestation: 'latest' }), isNow: true }
  }
}

async function heldAt(
  ask: Ask,
  { gateway }: Gateway,
  at: { balances: Hex | 'latest'; attestation: Hex | 'latest' },
): Promise<bigint[]> {
  const usdt = await read(ask, gateway, 'usdt')
  // That of the attestation: the owner may have set another one since.
  const { subcoin } = await read(ask, gateway, 'lastAttestation', [], at.attestation)
  const balance = async (token: Hex) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [gateway as Hex] })
    return BigInt(String(await ask('eth_call', [{ to: token, data }, at.balances])))
  }
  const native = await ask('eth_getBalance', [gateway, at.balances])
  return [await balance(usdt), await balance(subcoin), BigInt(String(native))]
}

/** How the way out stands for the leaf of a proof. Times in Unix seconds, amounts in base units. */
export type ExitState = {
  /** The day of the last attestation, in days since 1970-01-01; zero before the first. */
  lastDay: number
  /** The root of its tree. */
  lastRoot: string
  /** When exit mode began; null while it has not. */
  exitedAt: number | null
  /** From when on anyone can begin it. */
  exitFrom: number
  /** Where less is held than is owed: from when on what is left is shared among those who have claimed; null where enough is held. */
  sharedAgainAt: number | null
  claimable: readonly bigint[]
  isClaimed: readonly boolean[]
  /** The same of what is left a year later. */
  isClaimedAgain: readonly boolean[]
  /** Whether the contract would accept a claim now: also one of nothing, by which a member takes part when what is left is shared. */
  canClaim: boolean
  /** The time of the newest block. */
  now: number
}

export async function readExitState(ask: Ask, proof: ProofFile): Promise<ExitState> {
  const { gateway, leaf } = proof
  const last = await read(ask, gateway, 'lastAttestation')
  const exitedAt = await read(ask, gateway, 'exitedAt')
  const delay = await read(ask, gateway, 'EXIT_DELAY')
  const latest = (await ask('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  const shared = await read(ask, gateway, 'sharedAtExit')
  const sharingDelay = await read(ask, gateway, 'SHARING_DELAY')
  const now = Number(latest.timestamp)
  // The time of an asset of which nobody has claimed begins with the first claim, which may be this one.
  const dates = shared
    .filter(({ held }, nth) => held !== 0n && held < (last.sums[nth] ?? 0n))
    .map(({ sharedAgainAt, lacking }) => (lacking === 0n ? now + Number(sharingDelay) : Number(sharedAgainAt)))
  return {
    lastDay: last.day,
    lastRoot: last.root,
    exitedAt: exitedAt === 0 ? null : exitedAt,
    exitFrom: last.attestedAt + Number(delay) + 1,
    sharedAgainAt: dates.length === 0 ? null : Math.min(...dates),
    claimable: await read(ask, gateway, 'claimable', [leaf.member, sums(leaf.owed)]),
    isClaimed: await read(ask, gateway, 'isClaimed', [leaf.member]),
    isClaimedAgain: await read(ask, gateway, 'isClaimedAgain', [leaf.member]),
    canClaim: exitedAt !== 0 && (await wouldSucceed(ask, gateway, claimData(proof))),
    now,
  }
}

/** Whether the contract would accept a call now. */
async function wouldSucceed(ask: Ask, gateway: string, data: Hex): Promise<boolean> {
  try {
    await ask('eth_call', [{ to: gateway, data }, 'latest'])
    return true
  } catch {
    return false
  }
}

/** The data of `enterExit()`. */
export const enterExitData = (): Hex => encodeFunctionData({ abi, functionName: 'enterExit' })

const sums = ([usdt, coin, ju]: ProofFile['leaf']['owed']) => [BigInt(usdt), BigInt(coin), BigInt(ju)] as const

/** The data of `claim` for a proof. */
export function claimData({ leaf, path }: ProofFile): Hex {
  return encodeFunctionData({
    abi,
    functionName: 'claim',
    args: [
      { member: leaf.member as Hex, position: BigInt(leaf.position), owed: sums(leaf.owed) },
      leaf.salt as Hex,
      path.map((node) => ({ hash: node.hash as Hex, sums: sums(node.sums) })),
    ],
  })
}

type Results = {
  usdt: Hex
  lastAttestation: { root: Hex; sums: readonly bigint[]; subcoin: Hex; attestedAt: number; day: number }
  exitedAt: number
  EXIT_DELAY: bigint
  SHARING_DELAY: bigint
  sharedAtExit: readonly { held: bigint; sharedAgainAt: bigint; lacking: bigint }[]
  claimable: readonly bigint[]
  isClaimed: readonly boolean[]
  isClaimedAgain: readonly boolean[]
}

async function read<Name extends keyof Results>(
  ask: Ask,
  gateway: string,
  name: Name,
  args: readonly unknown[] = [],
  block: Hex | 'latest' = 'latest',
): Promise<Results[Name]> {
  const call = { abi, functionName: name, args } as Parameters<typeof encodeFunctionData>[0]
  const data = (await ask('eth_call', [{ to: gateway, data: encodeFunctionData(call) }, block])) as Hex
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- viem cannot tell the type for a name that is a parameter
  return decodeFunctionResult({ abi, functionName: name, data } as never) as Results[Name]
}
