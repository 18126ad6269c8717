import { decodeAbiParameters, keccak256, parseAbiParameters, toBytes } from 'viem'
import type { Asset } from './amounts.ts'
import type { Log } from './sources/rpc.ts'

/** Reads what the contract's logs say, without the service's code. Amounts are base units, addresses lower case. */

const topicOf = (signature: string) => keccak256(toBytes(signature))
export const topics = {
  payment: topicOf('TransactionDetails(address[],uint256[],string,address[])'),
  paid: topicOf('Paid(bytes32,address,address,uint256)'),
  transfer: topicOf('Transfer(address,address,uint256)'),
  sync: topicOf('Sync(uint112,uint112)'),
} as const

/** An address as an indexed parameter. */
export const asTopic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

type Place = Pick<Log, 'txHash' | 'blockNumber' | 'blockHash' | 'logIndex'>

export type Payment = Place & { asset: Asset; amount: bigint; remark: string; payer: string; customer: string }
/** Money that went out, or tokens that arrived, with or without a payment. */
export type Movement = Place & { asset: Asset; amount: bigint; from: string; to: string }

export type Tokens = { usdt: string; hash: string }

const nobody = `0x${'0'.repeat(40)}`

export function assetOf(address: string, { usdt, hash }: Tokens): Asset | null {
  const wanted = address.toLowerCase()
  if (wanted === nobody) return 'JU'
  if (wanted === usdt) return 'USDT'
  return wanted === hash ? 'HASH' : null
}

const placeOf = ({ txHash, blockNumber, blockHash, logIndex }: Log): Place => ({
  txHash,
  blockNumber,
  blockHash,
  logIndex,
})

const paymentData = parseAbiParameters('address[] tokens, uint256[] amounts, string remark, address[] people')

/** @throws for a payment that the contract cannot have written */
export function readPayment(log: Log, tokens: Tokens): Payment {
  const [token, amount, remark, people] = decodeAbiParameters(paymentData, log.data)
  const asset = assetOf(token[0] ?? '', tokens)
  const [payer, customer] = people
  if (asset === null || amount[0] === undefined || payer === undefined || customer === undefined)
    throw new Error(`log ${log.logIndex} of block ${log.blockNumber} is no payment that can be read`)
  return {
    ...placeOf(log),
    asset,
    amount: amount[0],
    remark,
    payer: payer.toLowerCase(),
    customer: customer.toLowerCase(),
  }
}

const paidData = parseAbiParameters('address asset, address to, uint256 amount')

/** Null for a token that the service keeps no accounts in. */
export function readPaid(log: Log, gateway: string, tokens: Tokens): Movement | null {
  const [token, to, amount] = decodeAbiParameters(paidData, log.data)
  const asset = assetOf(token, tokens)
  return asset === null ? null : { ...placeOf(log), asset, amount, from: gateway, to: to.toLowerCase() }
}

/** Null for a transfer of nothing, which anybody may send, and for other tokens. */
export function readTransfer(log: Log, tokens: Tokens): Movement | null {
  const [, from = '', to = ''] = log.topics
  const [amount] = decodeAbiParameters(parseAbiParameters('uint256'), log.data)
  const asset = assetOf(log.address, tokens)
  if (asset === null || asset === 'JU' || amount === 0n) return null
  return { ...placeOf(log), asset, amount, from: `0x${from.slice(-40)}`, to: `0x${to.slice(-40)}` }
}
