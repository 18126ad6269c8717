import { loadArtifact } from '@candela/contracts/artifacts.ts'
import { testAccounts } from '@candela/devnet/accounts'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID } from '@candela/protocol/network'
import {
  type Abi,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  http,
  type LocalAccount,
  parseEther,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount, toAccount } from 'viem/accounts'
import type { PageWallet } from './page-wallet.ts'
import { createTestWallet, type TestWallet, type TestWalletOptions } from './test-wallet.ts'

/** The development account that gives newcomers their money; the product's own and the demo wallet's are left alone. */
const GIVER = 4

/** Somebody whom the product has never seen. */
export type Newcomer = Person & { account: PrivateKeyAccount }

type Person = { wallet: TestWallet; pageWallet: PageWallet }

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

/** Somebody new whose account is a contract. `ju` is what the contract has; its owner's key pays for its transactions. */
export async function smartNewcomer(rpcUrl: string, { ju = 0n }: { ju?: bigint } = {}): Promise<Person> {
  const owner = privateKeyToAccount(generatePrivateKey())
  await give(rpcUrl, owner.address, parseEther('1'))
  const { abi, bytecode } = await loadArtifact('SmartAccount')
  const data = encodeDeployData({ abi: abi as Abi, bytecode, args: [owner.address] })
  const { contractAddress } = await send(rpcUrl, owner, null, 0n, data)
  if (contractAddress === null || contractAddress === undefined) throw new Error('The account was not deployed')
  if (ju > 0n) await give(rpcUrl, contractAddress, ju)
  const { signMessage, signTypedData, signTransaction } = owner
  // What its owner signs, it accepts.
  const account = toAccount({ address: contractAddress, signMessage, signTypedData, signTransaction })
  return walletOf(rpcUrl, account, { owner })
}

/** A test wallet of an account, ready to be put into a page. */
export function walletOf(rpcUrl: string, account: LocalAccount, options: Partial<TestWalletOptions> = {}) {
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

const give = (rpcUrl: string, to: `0x${string}`, value: bigint) => send(rpcUrl, giver(), to, value)

function giver(): LocalAccount {
  const found = testAccounts()[GIVER]
  if (found === undefined) throw new Error('The development chain has too few accounts')
  return found.account
}

async function send(
  rpcUrl: string,
  from: LocalAccount,
  to: `0x${string}` | null,
  value: bigint,
  data: `0x${string}` = '0x',
): Promise<TransactionReceipt> {
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
  if (receipt.status !== 'success') throw new Error(`What was sent to ${to ?? 'a new contract'} did not arrive`)
  return receipt
}
