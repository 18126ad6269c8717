import { type Hex, keccak256 } from 'viem'
import { RpcError } from '../ask.ts'
import type { RpcCall } from './read-answers.ts'

/**
 * Refuses a result that cannot be the one to its question: of another type, or about another block or transaction.
 * @throws RpcError
 */
export function checkResult(call: RpcCall, result: unknown): void {
  const check = checks[call.method]
  const params = Array.isArray(call.params) ? (call.params as readonly unknown[]) : []
  if (check === undefined || check(result, params)) return
  throw new RpcError('badAnswer', `the node gave ${describe(result)} as the answer to ${call.method}`)
}

function describe(result: unknown): string {
  const text = JSON.stringify(result)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

type Check = (result: unknown, params: readonly unknown[]) => boolean
type Fields = Readonly<Record<string, unknown>>

const isText = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const isQuantity = isText(/^0x[0-9a-f]{1,64}$/i)
const isData = isText(/^0x(?:[0-9a-f]{2})*$/i)
const isHash = isText(/^0x[0-9a-f]{64}$/i)
const isAddress = isText(/^0x[0-9a-f]{40}$/i)
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Numbers and hashes of nodes differ in leading zeros and in capital letters. */
const isSame = (found: unknown, wanted: unknown): boolean =>
  typeof found === 'string' && typeof wanted === 'string' && found.toLowerCase() === wanted.toLowerCase()
const isSameNumber = (found: unknown, wanted: unknown): boolean =>
  isQuantity(found) && isQuantity(wanted) && BigInt(found as string) === BigInt(wanted as string)

const isBlock = (value: unknown): value is Fields =>
  isFields(value) &&
  isHash(value['parentHash']) &&
  isQuantity(value['timestamp']) &&
  // Both are null of a block that is not finished.
  (value['hash'] === null || isHash(value['hash'])) &&
  (value['number'] === null || isQuantity(value['number']))

const isInBlock = (value: Fields): boolean => isHash(value['blockHash']) && isQuantity(value['blockNumber'])

const isLog = (value: unknown): value is Fields =>
  isFields(value) &&
  isAddress(value['address']) &&
  isData(value['data']) &&
  Array.isArray(value['topics']) &&
  value['topics'].every(isHash)

const isAmong = (found: unknown, wanted: unknown): boolean =>
  wanted === undefined || wanted === null || [wanted].flat().some((one) => isSame(found, one))

function fitsFilter(log: Fields, filter: Fields): boolean {
  const { address, topics, blockHash, fromBlock, toBlock } = filter
  const found = log['topics'] as readonly unknown[]
  const wanted = Array.isArray(topics) ? (topics as readonly unknown[]) : []
  if (!isAmong(log['address'], address) || !wanted.every((topic, index) => isAmong(found[index], topic))) return false
  if (blockHash !== undefined) return isSame(log['blockHash'], blockHash)
  const isAfter = !isQuantity(fromBlock) || BigInt(log['blockNumber'] as string) >= BigInt(fromBlock as string)
  return isAfter && (!isQuantity(toBlock) || BigInt(log['blockNumber'] as string) <= BigInt(toBlock as string))
}

const quantity: Check = (result) => isQuantity(result)
const data: Check = (result) => isData(result)

const checks: Readonly<Record<string, Check>> = {
  eth_blockNumber: quantity,
  eth_chainId: quantity,
  eth_estimateGas: quantity,
  eth_gasPrice: quantity,
  eth_getBalance: quantity,
  eth_getTransactionCount: quantity,
  eth_maxPriorityFeePerGas: quantity,
  eth_call: data,
  eth_getCode: data,
  eth_sendRawTransaction: (result, [raw]) => isData(raw) && isSame(result, keccak256(raw as Hex)),
  eth_getBlockByHash: (result, [hash]) => result === null || (isBlock(result) && isSame(result['hash'], hash)),
  // Every chain has a newest block.
  eth_getBlockByNumber: (result, [tag]) =>
    (result === null && isQuantity(tag)) ||
    (isBlock(result) && (!isQuantity(tag) || isSameNumber(result['number'], tag))),
  eth_getLogs: (result, [filter]) =>
    Array.isArray(result) &&
    result.every((log) => isLog(log) && isInBlock(log) && isFields(filter) && fitsFilter(log, filter)),
  eth_getTransactionByHash: (result, [hash]) =>
    result === null || (isFields(result) && isSame(result['hash'], hash) && isQuantity(result['nonce'])),
  eth_getTransactionReceipt: (result, [hash]) =>
    result === null ||
    (isFields(result) &&
      isSame(result['transactionHash'], hash) &&
      isInBlock(result) &&
      (result['status'] === '0x0' || result['status'] === '0x1')),
}
