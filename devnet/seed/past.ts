/** The people of the past of a development chain register, and send transactions from their own wallets. */
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID, CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { type ChainClient, createChainClient } from '@candela/server/chain/client'
import { type Database, transaction } from '@candela/server/db/open'
import type { Clock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { registerMember } from '@candela/server/modules/member/register'
import { encodeFunctionData, type Hex } from 'viem'
import { type TestAccount, testAccounts } from '@candela/testing/chain/accounts'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../deploy/deploy.ts'
import { rootInvitation } from './root-invitation.ts'

/** Where the past is made. */
export type Past = { db: Database; chain: Chain; deployment: Deployment }

/** Time is that of the chain's blocks. */
export const clockOf = (chain: Chain): Clock => ({ now: () => new Date(chain.tip().timestampS * 1_000) })

export const lower = (address: string): Hex => address.toLowerCase() as Hex

export function accountAt(index: number): TestAccount {
  const account = testAccounts()[index]
  if (account === undefined) throw new Error(`The development mnemonic has no account ${index}`)
  return account
}

/** Addresses as the server has them. */
export const contractsOf = ({ gateway, usdt, hash }: Deployment) => ({
  gateway: lower(gateway),
  usdt: lower(usdt),
  hash: lower(hash),
})

export function clientOf(chain: Pick<Chain, 'url'>): ChainClient {
  const network = {
    chainId: CHAIN_ID_HEX,
    chainName: 'development chain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: [chain.url],
    blockExplorerUrls: [],
  }
  return createChainClient({ network, rpcUrl: chain.url, retries: 0 })
}

/** The past is made as fast as its blocks: nothing is too old. */
export const chainLimits = { maxHeadAge_s: Infinity, maxLag_blocks: Number.MAX_SAFE_INTEGER }

/** @returns the member's id */
export function register({ db, chain }: Past, index: number): Promise<bigint> {
  const clock = clockOf(chain)
  const newcomer = { address: lower(accountAt(index).address), invitationCode: rootInvitation, now: clock.now() }
  return transaction(db, (tx) => registerMember(tx, systemIds(clock), newcomer))
}

export type Sending = { to: Hex; data: Hex; gas: bigint; value?: bigint }

/** The fees of the first kind of transaction, which every chain takes. */
const fees = { type: 'legacy', gasPrice: 20_000_000_000n } as const

/** Sends transactions of one account, which go into the next block in this order. @returns their hashes */
export async function send(
  { chain }: { chain: Pick<Chain, 'url'> },
  index: number,
  sendings: readonly Sending[],
): Promise<Hex[]> {
  const { account } = accountAt(index)
  const client = clientOf(chain)
  const first = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const hashes: Hex[] = []
  for (const [nth, sending] of sendings.entries()) {
    const signed = await account.signTransaction({ ...fees, ...sending, nonce: first + nth, chainId: CHAIN_ID })
    hashes.push(await client.sendRawTransaction({ serializedTransaction: signed }))
  }
  return hashes
}

export const approval = (token: Hex, spender: Hex, amount: bigint): Sending => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  gas: 100_000n,
})
