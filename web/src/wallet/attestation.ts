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
  zeroAddress,
} from 'viem'

/** One question to a node, as EIP-1193 has it: by the wallet, or by an RPC that the person names. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** What was attested for a day, as the chain tells. Base units of USDT, HASH and JU. */
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

/** What the contract held at a block, or holds now, in the order of the sums. */
export type Held = { amounts: bigint[]; isNow: boolean }

/**
 * What the contract held at the attested block; where the node does not have that state any more, as most have it for minutes only, what
 * it holds now. @throws what `ask` throws when it has neither
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
  claimsOpenAt: number
  /** As it stands now, also before claims are open. */
  claimable: readonly bigint[]
  isClaimed: readonly boolean[]
  /** What the member was paid after the attested block. */
  paidSince: readonly bigint[]
  /** That can be counted now, and was not. */
  canCount: boolean
  /** The time of the newest block. */
  now: number
}

export async function readExitState(ask: Ask, proof: ProofFile): Promise<ExitState> {
  const { gateway, leaf } = proof
  const last = await read(ask, gateway, 'lastAttestation')
  const exitedAt = await read(ask, gateway, 'exitedAt')
  const delay = await read(ask, gateway, 'EXIT_DELAY')
  const latest = (await ask('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  const claimsOpenAt = Number(await read(ask, gateway, 'claimsOpenAt'))
  const now = Number(latest.timestamp)
  const paidSince: bigint[] = []
  for (const asset of [await read(ask, gateway, 'usdt'), last.subcoin, zeroAddress])
    paidSince.push(await read(ask, gateway, 'paidSince', [asset, leaf.member]))
  const isCounting = exitedAt !== 0n && now < claimsOpenAt && paidSince.some((paid) => paid > 0n)
  return {
    lastDay: last.day,
    lastRoot: last.root,
    exitedAt: exitedAt === 0n ? null : Number(exitedAt),
    exitFrom: last.attestedAt + Number(delay) + 1,
    claimsOpenAt,
    claimable: await read(ask, gateway, 'claimable', [leaf.member, sums(leaf.owed)]),
    isClaimed: await read(ask, gateway, 'isClaimed', [leaf.member]),
    paidSince,
    canCount: isCounting && (await wouldSucceed(ask, gateway, countPaidData(proof))),
    now,
  }
}

/** Whether the contract would accept a call now: it has no other way to ask whether a payment was counted. */
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
export const claimData = (proof: ProofFile): Hex => leafCallData('claim', proof)

/** The data of `countPaid` for a proof. */
export const countPaidData = (proof: ProofFile): Hex => leafCallData('countPaid', proof)

function leafCallData(functionName: 'claim' | 'countPaid', { leaf, path }: ProofFile): Hex {
  return encodeFunctionData({
    abi,
    functionName,
    args: [
      { member: leaf.member as Hex, position: BigInt(leaf.position), owed: sums(leaf.owed) },
      leaf.salt as Hex,
      path.map((node) => ({ hash: node.hash as Hex, sums: sums(node.sums) })),
    ],
  })
}

type Results = {
  usdt: Hex
  lastAttestation: { root: Hex; subcoin: Hex; attestedAt: number; day: number }
  exitedAt: bigint
  EXIT_DELAY: bigint
  claimsOpenAt: bigint
  claimable: readonly bigint[]
  isClaimed: readonly boolean[]
  paidSince: bigint
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
