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

/** What was attested for a day, as the chain tells. Base units of USDT, HASH and JU. */
export type AttestedDay = { root: string; sums: readonly bigint[]; leaves: bigint; block: bigint }

type Gateway = { gateway: string }
const abi = paymentGatewayAbi

/** Null when nothing was attested for the proof's day. @throws what `ask` throws */
export async function readAttestedDay(ask: Ask, { gateway, day, block }: ProofFile): Promise<AttestedDay | null> {
  const topics = encodeEventTopics({ abi, eventName: 'Attested', args: { day: BigInt(dayNumber(day)) } })
  const filter = { address: gateway, topics, fromBlock: numberToHex(block), toBlock: 'latest' }
  const [log] = (await ask('eth_getLogs', [filter])) as { data: Hex; topics: [Hex, ...Hex[]] }[]
  if (log === undefined) return null
  const { args } = decodeEventLog({ abi, eventName: 'Attested', data: log.data, topics: log.topics })
  return { root: args.root, sums: args.sums, leaves: args.leaves, block: args.blockNumber }
}

/** What the contract holds now, in the order of the sums; zero for a subcoin that there is not. */
export async function readHeldNow(ask: Ask, { gateway }: Gateway): Promise<bigint[]> {
  const usdt = await read(ask, gateway, 'usdt')
  const { subcoin } = await read(ask, gateway, 'lastAttestation')
  const balance = async (token: Hex) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [gateway as Hex] })
    return BigInt(String(await ask('eth_call', [{ to: token, data }, 'latest'])))
  }
  return [await balance(usdt), await balance(subcoin), BigInt(String(await ask('eth_getBalance', [gateway, 'latest'])))]
}

/** Unix seconds of a block. */
export async function readBlockTime(ask: Ask, block: number): Promise<number> {
  const found = (await ask('eth_getBlockByNumber', [numberToHex(block), false])) as { timestamp: Hex } | null
  if (found === null) throw new Error(`the node has no block ${block}`)
  return Number(found.timestamp)
}

/** How the way out stands for the leaf of a proof. Times in Unix seconds, amounts in base units. */
export type ExitState = {
  /** The day of the last attestation, in days since 1970-01-01; zero before the first. */
  lastDay: number
  /** From when on anyone can begin exit mode; null when it has begun. */
  exitFrom: number | null
  claimsOpenAt: number
  claimable: readonly bigint[]
  isClaimed: readonly boolean[]
  /** The time of the newest block. */
  now: number
}

export async function readExitState(ask: Ask, { gateway, leaf }: ProofFile): Promise<ExitState> {
  const last = await read(ask, gateway, 'lastAttestation')
  const exitedAt = await read(ask, gateway, 'exitedAt')
  const delay = await read(ask, gateway, 'EXIT_DELAY')
  const latest = (await ask('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
  const [usdt, coin, ju] = leaf.owed
  const owed = [BigInt(usdt), BigInt(coin), BigInt(ju)]
  return {
    lastDay: last.day,
    exitFrom: exitedAt === 0n ? last.attestedAt + Number(delay) + 1 : null,
    claimsOpenAt: Number(await read(ask, gateway, 'claimsOpenAt')),
    claimable: await read(ask, gateway, 'claimable', [leaf.member, owed]),
    isClaimed: await read(ask, gateway, 'isClaimed', [leaf.member]),
    now: Number(latest.timestamp),
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
  lastAttestation: { subcoin: Hex; attestedAt: number; day: number }
  exitedAt: bigint
  EXIT_DELAY: bigint
  claimsOpenAt: bigint
  claimable: readonly bigint[]
  isClaimed: readonly boolean[]
}

async function read<Name extends keyof Results>(
  ask: Ask,
  gateway: string,
  name: Name,
  args: readonly unknown[] = [],
): Promise<Results[Name]> {
  const call = { abi, functionName: name, args } as Parameters<typeof encodeFunctionData>[0]
  const data = (await ask('eth_call', [{ to: gateway, data: encodeFunctionData(call) }, 'latest'])) as Hex
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- viem cannot tell the type for a name that is a parameter
  return decodeFunctionResult({ abi, functionName: name, data } as never) as Results[Name]
}
