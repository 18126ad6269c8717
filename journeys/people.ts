import { testAccounts } from '@candela/devnet/accounts'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID } from '@candela/protocol/network'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  http,
  type LocalAccount,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { PageWallet } from './page-wallet.ts'
import { createTestWallet, type TestWalletOptions } from './test-wallet.ts'

/** The development account that gives newcomers their money; the product's own and the demo wallet's are left alone. */
const GIVER = 4

/** Somebody whom the product has never seen. */
export type Newcomer = ReturnType<typeof walletOf> & { account: PrivateKeyAccount; pageWallet: PageWallet }

/** `ju` is what they bring, in base units: signing costs nothing, paying does. */
export async function newcomer(
  rpcUrl: string,
  { ju = 0n, ...options }: { ju?: bigint } & Partial<TestWalletOptions> = {},
): Promise<Newcomer> {
  const account = privateKeyToAccount(generatePrivateKey())
  if (ju > 0n) await give(rpcUrl, account.address, ju)
  const wallet = walletOf(rpcUrl, account, options)
  return { ...wallet, account }
}

/** A test wallet of an account, ready to be put into a page. */
export function walletOf(rpcUrl: string, account: PrivateKeyAccount, options: Partial<TestWalletOptions> = {}) {
  const wallet = createTestWallet({ rpcUrl, realChainId: CHAIN_ID, accounts: [account], ...options })
  return { wallet, pageWallet: { wallet, name: 'Test wallet', rdns: 'test.candela.wallet' } satisfies PageWallet }
}

/** Sends JU from somebody's own wallet to the payment contract, which counts as a deposit of theirs. */
export async function payIn(
  { rpcUrl, contracts }: { rpcUrl: string; contracts: { gateway: `0x${string}` } },
  { account }: Newcomer,
  ju: string,
): Promise<void> {
  await send(rpcUrl, account, contracts.gateway, parseEther(ju))
}

/** Hands somebody tokens, in base units. */
export async function giveToken(
  rpcUrl: string,
  token: `0x${string}`,
  to: `0x${string}`,
  amount: bigint,
): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await send(rpcUrl, giver(), token, 0n, data)
}

const give = (rpcUrl: string, to: `0x${string}`, value: bigint): Promise<void> => send(rpcUrl, giver(), to, value)

function giver(): LocalAccount {
  const found = testAccounts()[GIVER]
  if (found === undefined) throw new Error('The development chain has too few accounts')
  return found.account
}

async function send(
  rpcUrl: string,
  from: LocalAccount,
  to: `0x${string}`,
  value: bigint,
  data: `0x${string}` = '0x',
): Promise<void> {
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'development chain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    blockTime: 1_000,
  })
  const sender = createWalletClient({ account: from, chain, transport: http() })
  const client = createPublicClient({ chain, transport: http() })
  const hash = await sender.sendTransaction({ to, value, data })
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 200 })
  if (receipt.status !== 'success') throw new Error(`What was sent to ${to} did not arrive`)
}
