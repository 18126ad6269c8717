import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { AssetCode } from '@candela/protocol/money/assets'
import {
  type Abi,
  decodeFunctionResult,
  encodeFunctionData,
  formatTransaction,
  type Hex,
  keccak256,
  numberToHex,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  TransactionReceiptNotFoundError,
} from 'viem'
import { ask, RpcError } from '../ask.ts'
import { type ChainClient } from '../client.ts'
import { gatewayError, rpcAnswer } from './gateway-error.ts'

/** A followed block. Questions name it by its hash, so that no two answers are about different times. */
export type At = { number: bigint; hash: string }

/** The terms of a payment that the contract is told to make, base units. */
export type PayoutTerms = { payoutId: string; asset: AssetCode; to: string; amount: bigint }

/** The chain's state at one block, as a simulated payment shows it. */
export type PayoutSimulation = {
  /** The part of the asset's cap that is left now. */
  leftOfCap: bigint
  /** The amount of the asset that the contract holds. */
  held: bigint
  /** The payer's native currency, for gas. */
  gasBalance: bigint
  /** Null when the payment would succeed, else the name of the contract's error, '' when it has none. */
  refusal: string | null
}

/** Base units. */
export type ContractCap = { cap: bigint; left: bigint }

/** The gas that a payment offers. A recipient's code can see the price, so the simulation uses what is signed later. */
export type GasOffer = { gas: bigint; gasPrice: bigint }

/** `PayoutSimulation.refusal` where the payer cannot offer that much, or blocks ask for more: nothing was simulated. */
export const NOT_AFFORDABLE = 'NotAffordable'

/** `PayoutSimulation.refusal` where the node refuses an address that is on a block list of its chain: nothing was simulated. */
export const BLOCKED = 'Blocked'

/** Whether a node's words are about a list of addresses to which, or from which, nothing may be sent. */
export const isAboutBlockList = (words: string): boolean =>
  /(?:black|block|deny|sanctions?)[ -]?list|blacklisted|denylisted/i.test(words)

/** How a node answered to a transaction. `known`: it had it already. `used`: the nonce is taken. */
export type SendResult = { result: 'accepted' | 'known' | 'used' } | { result: 'refused'; reason: string }

export type PayoutChain = {
  /** The call that pays. */
  call(terms: PayoutTerms): { to: Hex; data: Hex }
  /** The account that the contract lets pay, lower case; at the newest block. */
  payer(): Promise<string>
  /** The account that the contract lets attest, lower case; at the newest block. */
  attester(): Promise<string>
  simulatePayout(at: At, payer: string, terms: PayoutTerms, offer: GasOffer): Promise<PayoutSimulation>
  /** How many transactions of the account the block's chain holds, which is the next nonce. */
  nonceAt(at: At, account: string): Promise<bigint>
  isPaid(at: At, payoutId: string): Promise<boolean>
  /** The account that the contract let pay, lower case. */
  payerAt(at: At): Promise<string>
  /**
   * Hash of the transaction with which the account has used the nonce in this block; null when the block has none. The
   * signature of what is found is checked, so that no node can name another one.
   */
  sentBy(at: At, account: string, nonce: bigint): Promise<string | null>
  /** Reads the amounts that the gateway holds. */
  holdings(at: At): Promise<Record<AssetCode, bigint>>
  /** Reads the most that the gateway pays out of each asset at once, and again in 24 hours; and what is left of it. */
  caps(at: At): Promise<Record<AssetCode, ContractCap>>
  /** Native base units at the newest block. */
  balance(account: string): Promise<bigint>
  /** Reads the price that the node would offer per unit of gas. */
  gasPrice(): Promise<bigint>
  send(raw: string): Promise<SendResult>
  /** Where the transaction was mined, and whether it did what it should; null while it is in no block. */
  receipt(hash: string): Promise<{ at: At; succeeded: boolean } | null>
}

/**
 * The receipt of a transaction whose nonce is used by a final block; null when that transaction was not the one that used it. Both are
 * asked in one batch, so one node answers: one that lacks the final block refuses, and knows no receipts.
 * @throws RpcError
 */
export async function receiptOnceFinal(
  chain: Pick<PayoutChain, 'receipt' | 'nonceAt'>,
  { hash, payer }: { hash: string; payer: string },
  final: At,
): ReturnType<PayoutChain['receipt']> {
  const [found] = await Promise.all([chain.receipt(hash), chain.nonceAt(final, payer)])
  return found
}

export type GatewayAddresses = { gateway: Hex; usdt: Hex; hash: Hex }

/** A node that has another block in its place refuses. */
const block = (at: At) => ({ blockHash: at.hash as Hex, requireCanonical: true })

/** The gateway's own view of its payer and of payments, at a followed block or at the node's newest one. */
export type GatewayView = {
  /** The account that may pay, lower case. */
  payerAt(at: At | 'latest'): Promise<string>
  isPaidAt(at: At | 'latest', payoutId: string): Promise<boolean>
  /** The account that may attest, lower case, at the newest block. */
  attester(): Promise<string>
}

/** Every answer, or an `RpcError`. */
export function gatewayView(client: ChainClient, gateway: Hex): GatewayView {
  const abi = paymentGatewayAbi
  const read = (at: At | 'latest', what: string, data: Hex): Promise<Hex> =>
    ask(`${what} at block ${at === 'latest' ? at : at.number}`, () =>
      client
        .request({ method: 'eth_call', params: [{ to: gateway, data }, at === 'latest' ? at : block(at)] })
        .then(some),
    )
  return {
    async payerAt(at) {
      const data = await read(at, 'payer', encodeFunctionData({ abi, functionName: 'payer' }))
      return decodeFunctionResult({ abi, functionName: 'payer', data }).toLowerCase()
    },
    async attester() {
      const data = await read('latest', 'attester', encodeFunctionData({ abi, functionName: 'attester' }))
      return decodeFunctionResult({ abi, functionName: 'attester', data }).toLowerCase()
    },
    async isPaidAt(at, payoutId) {
      const call = encodeFunctionData({ abi, functionName: 'isPaid', args: [payoutId as Hex] })
      return decodeFunctionResult({ abi, functionName: 'isPaid', data: await read(at, 'isPaid', call) })
    },
  }
}

/** @throws RpcError for the answer of an address without a contract */
function some(answer: Hex | undefined): Hex {
  if (answer === undefined || answer === '0x') throw new RpcError('badAnswer', 'there is no gateway at this address')
  return answer
}

/** Every answer, or an `RpcError`. */
export function payoutChain(client: ChainClient, contracts: GatewayAddresses): PayoutChain {
  const { gateway } = contracts
  const view = gatewayView(client, gateway)
  const addressOf: Record<AssetCode, Hex> = { JU: NATIVE_ASSET, USDT: contracts.usdt, HASH: contracts.hash }
  const balanceAt = (at: At, account: string) =>
    ask(`balance of ${account}`, async () =>
      BigInt(await client.request({ method: 'eth_getBalance', params: [account as Hex, block(at)] })),
    )
  const read = async <T>(at: At, to: Hex, abi: Abi, functionName: string, args: readonly unknown[]): Promise<T> => {
    const data = encodeFunctionData({ abi, functionName, args: [...args] })
    return ask(`${functionName} at block ${at.number}`, async () => {
      const answer = await client.request({ method: 'eth_call', params: [{ to, data }, block(at)] })
      return decodeFunctionResult({ abi, functionName, data: answer }) as T
    })
  }
  const heldAt = (at: At, asset: AssetCode): Promise<bigint> =>
    asset === 'JU' ? balanceAt(at, gateway) : read(at, addressOf[asset], erc20Abi, 'balanceOf', [gateway])
  const refusal = async (at: At, payer: string, terms: PayoutTerms, offer: GasOffer): Promise<string | null> => {
    const data = payCall(terms, addressOf[terms.asset])
    const gas = { gas: numberToHex(offer.gas), gasPrice: numberToHex(offer.gasPrice) }
    try {
      await client.request({
        method: 'eth_call',
        params: [{ from: payer as Hex, to: gateway, data, ...gas }, block(at)],
      })
      return null
    } catch (error) {
      const name = gatewayError(error)?.name
      if (name !== undefined) return name
      if (isNotAffordable(error)) return NOT_AFFORDABLE
      if (isAboutBlockList(rpcAnswer(error)?.details ?? '')) return BLOCKED
      return ask('a trial payment', () => Promise.reject(error as Error))
    }
  }
  return {
    call: (terms) => ({ to: gateway, data: payCall(terms, addressOf[terms.asset]) }),
    payer: () => view.payerAt('latest'),
    attester: () => view.attester(),
    async simulatePayout(at, payer, terms, offer) {
      // One batch, so that one node answers.
      const [leftOfCap, held, gasBalance, refused] = await Promise.all([
        read<bigint>(at, gateway, paymentGatewayAbi, 'leftOfCap', [addressOf[terms.asset]]),
        heldAt(at, terms.asset),
        balanceAt(at, payer),
        refusal(at, payer, terms, offer),
      ])
      return { leftOfCap, held, gasBalance, refusal: refused }
    },
    nonceAt: (at, account) =>
      ask(`nonce of ${account}`, async () =>
        BigInt(await client.request({ method: 'eth_getTransactionCount', params: [account as Hex, block(at)] })),
      ),
    isPaid: (at, payoutId) => view.isPaidAt(at, payoutId),
    payerAt: (at) => view.payerAt(at),
    sentBy: (at, account, nonce) => sentBy(client, at, account, nonce),
    async holdings(at) {
      // One after the other: a node that exchanges answers of a batch would make the books look wrong.
      return { JU: await heldAt(at, 'JU'), USDT: await heldAt(at, 'USDT'), HASH: await heldAt(at, 'HASH') }
    },
    async caps(at) {
      const capOf = async (asset: AssetCode): Promise<ContractCap> => {
        const [cap, left] = await Promise.all([
          read<bigint>(at, gateway, paymentGatewayAbi, 'dailyCap', [addressOf[asset]]),
          read<bigint>(at, gateway, paymentGatewayAbi, 'leftOfCap', [addressOf[asset]]),
        ])
        return { cap, left }
      }
      const [JU, USDT, HASH] = await Promise.all([capOf('JU'), capOf('USDT'), capOf('HASH')])
      return { JU, USDT, HASH }
    },
    balance: (account) => ask(`balance of ${account}`, () => client.getBalance({ address: account as Hex })),
    gasPrice: () => ask('gas price', () => client.getGasPrice()),
    send: (raw) => send(client, raw as Hex),
    receipt: (hash) => receipt(client, hash as Hex),
  }
}

/** @param asset address of the asset, zero for the native currency */
function payCall({ payoutId, to, amount }: PayoutTerms, asset: Hex): Hex {
  return encodeFunctionData({
    abi: paymentGatewayAbi,
    functionName: 'pay',
    args: [payoutId as Hex, asset, to as Hex, amount],
  })
}

async function send(client: ChainClient, raw: Hex): Promise<SendResult> {
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [raw] })
    return { result: 'accepted' }
  } catch (error) {
    const answer = rpcAnswer(error)
    if (answer === undefined) return ask('sending a payout', () => Promise.reject(error as Error))
    // There are no standard codes for these, so the words of geth, erigon, nethermind and anvil are searched for.
    if (/already (?:known|imported|exists)|known transaction/i.test(answer.details)) return { result: 'known' }
    if (/nonce (?:is )?too low|old ?nonce/i.test(answer.details)) return { result: 'used' }
    return { result: 'refused', reason: answer.details }
  }
}

async function receipt(client: ChainClient, hash: Hex): ReturnType<PayoutChain['receipt']> {
  try {
    const { blockNumber, blockHash, status } = await client.getTransactionReceipt({ hash })
    return { at: { number: blockNumber, hash: blockHash }, succeeded: status === 'success' }
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null
    return ask(`receipt of ${hash}`, () => Promise.reject(error as Error))
  }
}

async function sentBy(client: ChainClient, at: At, account: string, nonce: bigint): Promise<string | null> {
  const what = `transactions of block ${at.number}`
  const found = await ask(what, () => client.request({ method: 'eth_getBlockByHash', params: [at.hash as Hex, true] }))
  for (const sent of found?.transactions ?? []) {
    if (typeof sent === 'string') throw new RpcError('badAnswer', `${what}: hashes only`)
    if (sent.from.toLowerCase() !== account || BigInt(sent.nonce) !== nonce) continue
    const { gas, gasPrice, input: data, r, s, v, ...rest } = formatTransaction(sent)
    const fields = { ...rest, gas, data, ...(rest.maxFeePerGas === undefined ? { gasPrice } : {}) }
    // A kind of transaction that is not known here cannot be checked.
    const raw = serializeTransaction(fields as TransactionSerializable, { r, s, v, yParity: rest.yParity })
    const signer = await recoverTransactionAddress({ serializedTransaction: raw })
    if (keccak256(raw) !== sent.hash.toLowerCase() || signer.toLowerCase() !== account) {
      throw new RpcError('badAnswer', `${what}: ${sent.hash} is not signed by ${account}`)
    }
    return keccak256(raw)
  }
  return null
}

/** The words of geth, erigon, nethermind and anvil for a call that offers too much for its sender or too little for the block. */
const isNotAffordable = (error: unknown): boolean =>
  /insufficient (?:funds|balance|sender balance)|base ?fee/i.test(rpcAnswer(error)?.details ?? '')
