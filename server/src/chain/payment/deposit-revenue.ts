import { rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { RECHARGE_GAS } from '@candela/protocol/chain/network'
import { encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import { ask } from '../ask.ts'
import { type ChainClient } from '../client.ts'
import type { Signer } from '../signer.ts'

export type RevenueDeps = {
  client: ChainClient
  signer: Signer
  gateway: Hex
  /** The token that output is paid in. */
  hash: Hex
}

/** Base units of the output token, and the UTC day that it was earned on. */
export type Revenue = { day: string; amount: bigint }

/** `blockNumber` is null when the deposit was sent and is in no block yet. */
export type RevenueDeposit = { approval: Hex | null; deposit: Hex; blockNumber: bigint | null }

/** Why it was not sent, worded for the operator. */
export class RevenueRefused extends Error {
  override readonly name = 'RevenueRefused'
}

const APPROVE_GAS = 100_000n
const RECEIPT_WAIT_MS = 120_000

/**
 * Deposits a day's revenue on chain: approves exactly the amount where the allowance is another one, then
 * `recharge("revenue", …)`. Waits for each receipt; a deposit whose receipt does not come in time is reported as sent.
 * @throws RevenueRefused when it cannot succeed or must not be sent now; RpcError when the node does not answer
 */
export async function depositRevenue(deps: RevenueDeps, { day, amount }: Revenue): Promise<RevenueDeposit> {
  const { client, signer, gateway, hash } = deps
  const from = signer.address
  const [latest, pending] = await Promise.all(
    (['latest', 'pending'] as const).map((blockTag) =>
      ask('nonce', () => client.getTransactionCount({ address: from, blockTag })),
    ),
  )
  if (pending !== latest) throw new RevenueRefused(`transactions of ${from} still wait for a block: try again later`)
  const token = { abi: erc20Abi, address: hash } as const
  const [held, allowance] = await Promise.all([
    ask('balance', () => client.readContract({ ...token, functionName: 'balanceOf', args: [from] })),
    ask('allowance', () => client.readContract({ ...token, functionName: 'allowance', args: [from, gateway] })),
  ])
  if (held < amount) throw new RevenueRefused(`${from} holds less than the amount`)
  let nonce = BigInt(latest ?? 0)
  let approval: Hex | null = null
  if (allowance !== amount) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [gateway, amount] })
    approval = await send(deps, { nonce, to: hash, data, gas: APPROVE_GAS })
    if ((await receiptOf(client, approval)) === null) {
      throw new RevenueRefused(`the approval ${approval} is in no block yet: try again later`)
    }
    nonce += 1n
  }
  const parameters = encodeAbiParameters(rechargeDataTypes, [amount, hash, from, day])
  const data = encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'recharge', args: ['revenue', parameters] })
  const deposit = await send(deps, { nonce, to: gateway, data, gas: RECHARGE_GAS })
  return { approval, deposit, blockNumber: await receiptOf(client, deposit) }
}

async function send(
  { client, signer }: RevenueDeps,
  call: { nonce: bigint; to: Hex; data: Hex; gas: bigint },
): Promise<Hex> {
  const price = await ask('gas price', () => client.getGasPrice())
  const { hash, raw } = await signer.sign({ ...call, gasPrice: (price * 5n) / 4n + 1n })
  await ask('sending', () => client.sendRawTransaction({ serializedTransaction: raw }))
  return hash
}

/** The block that holds it; null when none does for too long. @throws RevenueRefused when it was reverted */
async function receiptOf(client: ChainClient, hash: Hex): Promise<bigint | null> {
  const receipt = await client
    .waitForTransactionReceipt({ hash, timeout: RECEIPT_WAIT_MS, pollingInterval: 500 })
    .catch(() => null)
  if (receipt === null) return null
  if (receipt.status !== 'success') throw new RevenueRefused(`transaction ${hash} was reverted`)
  return receipt.blockNumber
}
