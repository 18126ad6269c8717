import { type ActionKey, NATIVE_ASSET, parseRemark } from '@candela/protocol/chain/action-data'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import type { AssetCode } from '@candela/protocol/money/assets'
import {
  type AbiParameter,
  decodeAbiParameters,
  type DecodeAbiParametersReturnType,
  getAbiItem,
  type Hex,
  type RpcLog,
  toEventSelector,
} from 'viem'
import { reasonOf } from '../../../kernel/errors.ts'
import { RpcError } from '../../ask.ts'

const transactionDetails = getAbiItem({ abi: paymentGatewayAbi, name: 'TransactionDetails' })

/** First topic of every payment. */
export const paymentTopic: Hex = toEventSelector(transactionDetails)

const paidData = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const

/** First topics of money going out of the gateway, and of tokens changing hands. */
export const paidTopic: Hex = toEventSelector(getAbiItem({ abi: paymentGatewayAbi, name: 'Paid' }))
export const transferTopic: Hex = toEventSelector(getAbiItem({ abi: erc20Abi, name: 'Transfer' }))

/**
 * The meaning of a log: an action of the contract, 'unknown' for a remark that we cannot read, 'paid' for money that went out,
 * 'transfer' for tokens that somebody sent to the contract's address without calling it.
 */
export type ChainAction = ActionKey | 'unknown' | 'paid' | 'transfer'

/** The facts that one log states. Amounts are base units; hashes and addresses lower case. */
export type PaymentFacts = {
  txHash: string
  /** Index in the block. */
  logIndex: number
  /**
   * Index among the logs of its kind in its transaction, which a reorganisation does not change. Payments count from 0.
   * Payouts and bare transfers have higher ranges of their own, so that reading them does not move the payments.
   */
  txPosition: number
  blockNumber: bigint
  blockHash: string
  action: ChainAction
  /** The remark behind its first colon; the whole remark when the action is unknown; the id of what was paid out. */
  reference: string
  asset: AssetCode
  amount: bigint
  /** The account that the money came from: the gateway's own address for a payout. */
  payer: string
  /** The account that the money is for: the recipient of a payout. */
  customer: string
}

/** The asset that an address on chain, in lower case, stands for. */
export type AssetsByAddress = ReadonlyMap<string, AssetCode>

/** The addresses that the gateway takes: the zero address for the native currency, and the two tokens. */
export const assetsByAddress = (tokens: { usdt: string; hash: string }): AssetsByAddress =>
  new Map<string, AssetCode>([
    [NATIVE_ASSET, 'JU'],
    [tokens.usdt.toLowerCase(), 'USDT'],
    [tokens.hash.toLowerCase(), 'HASH'],
  ])

/**
 * A log of the gateway that our contract cannot have written, or that names a token that is not configured. It moves
 * somebody's money, so the follower stops before it instead of skipping it.
 */
export class UnreadablePayment extends Error {
  override readonly name = 'UnreadablePayment'
}

const firstPosition = { payment: 0, paid: 1_000_000, transfer: 2_000_000 } as const
type LogKind = keyof typeof firstPosition

/**
 * Reads money in and out of whole blocks, in chain order. The logs may come in any order and repeated; they must be all
 * of the gateway's payments and payouts and all token transfers to it in their blocks, because the position in the
 * transaction is counted here and a transfer is told from a payment by the payment beside it.
 * @throws RpcError ('badAnswer') when the logs are not what was asked for or contradict each other
 * @throws UnreadablePayment
 */
export function decodePayments(logs: readonly RpcLog[], gateway: string, assets: AssetsByAddress): PaymentFacts[] {
  const facts = orderedOnce(logs).flatMap(({ log, place }) => {
    const kind = kindOf(log, place, gateway, assets)
    const data = readLog(kind, log, place, gateway, assets)
    return data === null ? [] : [{ kind, place, data }]
  })
  const counted = new Set(facts.flatMap((fact, index) => (fact.kind === 'payment' ? transferBehind(facts, index) : [])))
  const positions = new Map<string, number>()
  return facts
    .filter((_fact, index) => !counted.has(index))
    .map(({ kind, place, data }) => {
      const key = `${kind} ${place.txHash}`
      const txPosition = positions.get(key) ?? firstPosition[kind]
      positions.set(key, txPosition + 1)
      return { ...place, txPosition, ...data }
    })
}

type Fact = { kind: LogKind; place: Place; data: LogData }

/**
 * The transfer by which a payment in a token arrived: the last one before it in its transaction with the same figures.
 * Where two fit, either will do, because they say the same.
 */
function transferBehind(facts: readonly Fact[], payment: number): number[] {
  const { place, data } = facts[payment] as Fact
  // Several payments of one transaction may have the same figures: each takes the transfer nearest before it.
  for (let index = payment - 1; facts[index]?.place.txHash === place.txHash; index--) {
    const fact = facts[index] as Fact
    if (fact.kind === 'payment' && same(fact.data, data)) break
    if (fact.kind === 'transfer' && same(fact.data, data)) return [index]
  }
  return []
}

const same = (a: LogData, b: LogData): boolean => a.asset === b.asset && a.amount === b.amount && a.payer === b.payer

/** The logs in chain order, each once. @throws RpcError when they contradict each other */
function orderedOnce(logs: readonly RpcLog[]): { log: RpcLog; place: Place }[] {
  const placed = logs.map((log) => ({ log, place: placeOf(log) }))
  placed.sort((a, b) => Number(a.place.blockNumber - b.place.blockNumber) || a.place.logIndex - b.place.logIndex)
  return placed.filter(({ place }, index) => {
    const previous = placed[index - 1]?.place
    if (previous?.blockNumber !== place.blockNumber) return true
    if (previous.blockHash !== place.blockHash) throw badLog(place, 'another log has another hash for its block')
    if (previous.logIndex !== place.logIndex) return true
    if (previous.txHash !== place.txHash) throw badLog(place, 'another log has the same index')
    return false
  })
}

type Place = Pick<PaymentFacts, 'txHash' | 'logIndex' | 'blockNumber' | 'blockHash'>

function placeOf(log: RpcLog): Place {
  if (log.blockHash === null || log.blockNumber === null || log.transactionHash === null || log.logIndex === null) {
    throw new RpcError('badAnswer', 'a log without a place on the chain')
  }
  const place = {
    txHash: log.transactionHash.toLowerCase(),
    logIndex: Number(log.logIndex),
    blockNumber: BigInt(log.blockNumber),
    blockHash: log.blockHash.toLowerCase(),
  }
  if (log.removed) throw badLog(place, 'it is marked as removed')
  return place
}

function kindOf(log: RpcLog, place: Place, gateway: string, assets: AssetsByAddress): LogKind {
  const address = log.address.toLowerCase()
  const [topic, , to] = log.topics
  if (address === gateway && topic === paymentTopic) return 'payment'
  if (address === gateway && topic === paidTopic) return 'paid'
  if (topic === transferTopic && assets.has(address) && to?.toLowerCase() === topicOf(gateway)) return 'transfer'
  throw badLog(place, 'it was not asked for')
}

/** An address as an indexed event parameter. */
export const topicOf = (address: string): Hex => `0x${address.slice(2).padStart(64, '0')}`

type LogData = Pick<PaymentFacts, 'action' | 'reference' | 'asset' | 'amount' | 'payer' | 'customer'>

/** Reads what the log says; null when it does not concern us. */
function readLog(kind: LogKind, log: RpcLog, place: Place, gateway: string, assets: AssetsByAddress): LogData | null {
  if (kind === 'payment') return readData(log.data, place, assets)
  return kind === 'paid' ? readPaid(log, place, gateway, assets) : readTransfer(log, place, assets)
}

function readPaid(log: RpcLog, place: Place, gateway: string, assets: AssetsByAddress): LogData | null {
  const [id] = indexed(log, place)
  const [token, to, amount] = decodeData(paidData, log.data, place)
  // A token that we keep no accounts in, such as one that somebody sent by mistake and the owner gave back.
  const asset = assets.get(token.toLowerCase())
  if (asset === undefined) return null
  return { action: 'paid', reference: id, asset, amount, payer: gateway, customer: to.toLowerCase() }
}

function readTransfer(log: RpcLog, place: Place, assets: AssetsByAddress): LogData | null {
  const [from] = indexed(log, place)
  const [amount] = decodeData([{ type: 'uint256' }], log.data, place)
  const asset = assets.get(log.address.toLowerCase())
  // A transfer of zero is left out: anybody may send one for free, as often as they like.
  if (asset === undefined || amount === 0n) return null
  const payer = `0x${from.slice(-40)}`
  return { action: 'transfer', reference: '', asset, amount, payer, customer: payer }
}

/** The indexed parameters of an event that has at least one, lower case. */
function indexed({ topics }: RpcLog, place: Place): [string, ...string[]] {
  const [, first, ...more] = topics.map((topic) => topic.toLowerCase())
  if (first === undefined) throw unreadable(place, 'a topic is missing')
  return [first, ...more]
}

function readData(data: Hex, place: Place, assets: AssetsByAddress): LogData {
  const [tokens, amounts, remark, people] = decodeData(transactionDetails.inputs, data, place)
  const [token, ...moreTokens] = tokens
  const [amount, ...moreAmounts] = amounts
  const [payer, customer, ...morePeople] = people
  if (token === undefined || amount === undefined || payer === undefined || customer === undefined) {
    throw unreadable(place, 'an array is too short')
  }
  if (moreTokens.length + moreAmounts.length + morePeople.length > 0) throw unreadable(place, 'an array is too long')
  const asset = assets.get(token.toLowerCase())
  if (asset === undefined) throw unreadable(place, `no asset is configured for ${token}`)
  const parsed = parseRemark(remark)
  return {
    action: parsed?.key ?? 'unknown',
    // Postgres keeps no NUL in a text.
    reference: (parsed?.reference ?? remark).replaceAll('\0', '\uFFFD'),
    asset,
    amount,
    payer: payer.toLowerCase(),
    customer: customer.toLowerCase(),
  }
}

function decodeData<const P extends readonly AbiParameter[]>(
  types: P,
  data: Hex,
  place: Place,
): DecodeAbiParametersReturnType<P> {
  try {
    return decodeAbiParameters(types, data)
  } catch (error) {
    throw unreadable(place, reasonOf(error).split('\n')[0] ?? '')
  }
}

const badLog = (place: Place, what: string): RpcError =>
  new RpcError('badAnswer', `log ${place.logIndex} of block ${place.blockNumber}: ${what}`)

const unreadable = (place: Place, what: string): UnreadablePayment =>
  new UnreadablePayment(`payment in ${place.txHash}, log ${place.logIndex} of block ${place.blockNumber}: ${what}`)
