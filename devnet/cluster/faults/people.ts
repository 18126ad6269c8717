/** The people who use the cluster while parts of it are lost, and how they pay: with keys of their own, through the chain's RPC. */
import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET, rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { must } from '@candela/server/kernel/assert'
import { encodeAbiParameters, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { CheckedChain } from '../../../server/test/faults/kill-checks.ts'
import { callServer, type Client, type PaymentChain } from '../../../server/test/faults/kill-workload.ts'
import { testAccounts } from '@candela/testing/chain/accounts'
import type { Deployment } from '../../deploy/deploy.ts'
import { accountAt, approval, clientOf, lower, send } from '../../seed/past.ts'
import { rootInvitation } from '../../seed/root-invitation.ts'

/** Members of the load, each with a second account that is no member's. */
const MEMBERS = [2, 3, 4]
const STRANGERS = [6, 7, 8]

/** Enough gas for any payment to the gateway; an estimate would not know of what waits before it. */
const PAYMENT_GAS = 500_000n

/** The chain as the load and the final checks use it. */
export type ClusterChain = PaymentChain & CheckedChain

/** The development chain, with transactions signed here. */
export function chainOf(rpcUrl: string, deployment: Deployment): ClusterChain {
  const chain = { url: rpcUrl }
  const [gateway, usdt, hash] = [lower(deployment.gateway), lower(deployment.usdt), lower(deployment.hash)]
  const sendFrom: PaymentChain['send'] = async (from, to, data, value) => {
    const payment = { to: must(to, 'nobody deploys'), data, value: value ?? 0n, gas: PAYMENT_GAS }
    const [sent] = await send({ chain }, indexOf(from), [payment])
    return must(sent, 'one was sent')
  }
  return {
    client: clientOf(chain),
    gateway,
    usdt,
    hash,
    send: sendFrom,
    pay: (payment) => {
      const { key = 'deposit', asset = usdt, amount = 1n, reference = '', from: payer, customer } = payment ?? {}
      const from = must(payer, 'somebody pays')
      const terms = encodeAbiParameters(rechargeDataTypes, [amount, asset, customer ?? from, reference])
      const call = { abi: paymentGatewayAbi, functionName: 'recharge', args: [key, terms] } as const
      return sendFrom(from, gateway, encodeFunctionData(call), asset === NATIVE_ASSET ? amount : 0n)
    },
  }
}

const indexOf = (address: Hex): number =>
  must(
    testAccounts().find((each) => lower(each.address) === lower(address)),
    'a development account pays',
  ).index

/** Signs in with a real signature, the first time as a new member. @returns null without an answer */
export async function enter(base: string, { account, address }: Pick<Client, 'account' | 'address'>) {
  const asked = await callServer(base, 'GET auth/loginMessage', { address }, undefined, ANSWER_MS)
  if (asked === null) return null
  const { message } = asked.data as { message: string }
  const sign_message = await account.signMessage({ message })
  const input = { address, message, sign_message, code: rootInvitation, replace: '1' }
  const answer = await callServer(base, 'POST auth/login', input, undefined, ANSWER_MS)
  if (answer === null) return null
  if (answer.code !== 200) throw new Error(`auth/login: ${answer.code} ${answer.message}`)
  return (answer.data as { token: string }).token
}

/** Shorter than the app's own limit, so that more commands are repeated while the first is still under way. */
export const ANSWER_MS = 5_000

/** The members of the load, signed in, whose accounts let the gateway take their tokens. */
export async function makeMembers(base: string, rpcUrl: string, deployment: Deployment): Promise<Client[]> {
  const members: Client[] = []
  for (const [nth, index] of MEMBERS.entries()) {
    const { account } = accountAt(index)
    const client = { account, address: lower(account.address), memberId: 0n, token: '', stranger: strangerOf(nth) }
    // The first calls of new servers may take longer than they are waited for.
    while (client.token === '') client.token = (await enter(base, client)) ?? ''
    members.push(client)
    const tokens = [deployment.usdt, deployment.hash]
    await send(
      { chain: { url: rpcUrl } },
      index,
      tokens.map((token) => approval(token, deployment.gateway, maxUint256)),
    )
  }
  return members
}

const strangerOf = (nth: number): Hex => lower(accountAt(must(STRANGERS[nth], 'each has one')).address)

/** Somebody without money, whom nobody knows yet. */
export function newVisitor(): Pick<Client, 'account' | 'address'> {
  const account = privateKeyToAccount(generatePrivateKey())
  return { account, address: lower(account.address) }
}
