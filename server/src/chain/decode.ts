import { type ActionKey, parseRemark } from '@candela/protocol/action-data'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/action-data'
import type { AssetCode } from '@candela/protocol/assets'
import { decodeAbiParameters, getAbiItem, type Hex, type RpcLog, toEventSelector } from 'viem'
import { reasonOf } from '../kernel/errors.ts'
import { RpcError } from './client.ts'

const transactionDetails = getAbiItem({ abi: paymentGatewayAbi, name: 'TransactionDetails' })

/** First topic of every payment. */
export const paymentTopic: Hex = toEventSelector(transactionDetails)

/** What one `TransactionDetails` log says. Amounts are base units; hashes and addresses lower case. */
export type PaymentFacts = {
  txHash: string
  /** Index in the block. */
  logIndex: number
  /** Index among the gateway's payments of its transaction. */
  txPosition: number
  blockNumber: bigint
  blockHash: string
  action: ActionKey | 'unknown'
  /** The remark behind its first colon; the whole remark when the action is unknown. */
  reference: string
  asset: AssetCode
  amount: bigint
  payer: string
  customer: string
}

/** Which asset an address on chain stands for, in lower case. */
export type AssetsByAddress = ReadonlyMap<string, AssetCode>

/** The addresses that the gateway takes: the zero address for the native currency, and the two tokens. */
export const assetsByAddress = (tokens: { usdt: string; hash: string }): AssetsByAddress =>
  new Map<string, AssetCode>([
    [NATIVE_ASSET, 'JU'],
    [tokens.usdt.toLowerCase(), 'USDT'],
    [tokens.hash.toLowerCase(), 'HASH'],
  ])

/**
 * A log of the gateway that our contract cannot have written, or that names a token we are not configured for. It is
 * somebody's money, so the follower stops before it instead of leaving it out.
 */
export class UnreadablePayment extends Error {
  override readonly name = 'UnreadablePayment'
}

/**
 * Reads the payments of whole blocks, in chain order. The logs may come in any order and repeated; they must be all
 * of the gateway's payments in their blocks, because the position in the transaction is counted here.
 * @throws RpcError ('badAnswer') when the logs are not what was asked for or contradict each other
 * @throws UnreadablePayment
 */
export function decodePayments(logs: readonly RpcLog[], gateway: string, assets: AssetsByAddress): PaymentFacts[] {
  const placed = logs.map((log) => ({ place: placeOf(log, gateway), data: log.data }))
  placed.sort(({ place: a }, { place: b }) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
  const payments: PaymentFacts[] = []
  const positions = new Map<string, number>()
  for (const { place, data } of placed) {
    const previous = payments.at(-1)
    if (previous?.blockNumber === place.blockNumber) {
      if (previous.blockHash !== place.blockHash) throw badLog(place, 'another log has another hash for its block')
      if (previous.logIndex === place.logIndex) {
        if (previous.txHash !== place.txHash) throw badLog(place, 'another log has the same index')
        continue
      }
    }
    const txPosition = positions.get(place.txHash) ?? 0
    positions.set(place.txHash, txPosition + 1)
    payments.push({ ...place, txPosition, ...readData(data, place, assets) })
  }
  return payments
}

type Place = Pick<PaymentFacts, 'txHash' | 'logIndex' | 'blockNumber' | 'blockHash'>

function placeOf(log: RpcLog, gateway: string): Place {
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
  if (log.address.toLowerCase() !== gateway || log.topics[0] !== paymentTopic)
    throw badLog(place, 'it was not asked for')
  return place
}

function readData(
  data: Hex,
  place: Place,
  assets: AssetsByAddress,
): Pick<PaymentFacts, 'action' | 'reference' | 'asset' | 'amount' | 'payer' | 'customer'> {
  const [tokens, amounts, remark, people] = decodeData(data, place)
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

function decodeData(data: Hex, place: Place) {
  try {
    return decodeAbiParameters(transactionDetails.inputs, data)
  } catch (error) {
    throw unreadable(place, reasonOf(error).split('\n')[0] ?? '')
  }
}

const badLog = (place: Place, what: string): RpcError =>
  new RpcError('badAnswer', `log ${place.logIndex} of block ${place.blockNumber}: ${what}`)

const unreadable = (place: Place, what: string): UnreadablePayment =>
  new UnreadablePayment(`payment in ${place.txHash}, log ${place.logIndex} of block ${place.blockNumber}: ${what}`)
