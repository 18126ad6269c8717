import { loadArtifact } from '@candela/contracts/artifacts.ts'
import { testAccounts } from '@candela/testing/chain/accounts'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { transaction } from '@candela/server/db/open'
import { sql } from 'kysely'
import {
  type Abi,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  type Hash,
  http,
  type LocalAccount,
  parseEther,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount, toAccount } from 'viem/accounts'
import { withDatabase } from './database.ts'
import type { PageWallet } from '@candela/testing/wallets/page-wallet'
import type { Product } from './products/product.ts'
import { createTestWallet, type TestWallet, type TestWalletOptions } from '@candela/testing/wallets/test-wallet'
import { FACT_MS } from '@candela/testing/browser/timeouts'

/** The development account that gives newcomers their money; the product's own and the demo wallet's are left alone. */
const GIVER = 4
/** Advisory lock of the product's database; the service's own locks have other keys. */
const GIVER_LOCK = 726_002_001n

/** Somebody whom the product has never seen. */
export type Newcomer = Person & { account: PrivateKeyAccount }

type Person = { wallet: TestWallet; pageWallet: PageWallet }

/** The money that somebody brings, in base units. */
type Money = { ju?: bigint; usdt?: bigint }

/** Without JU they can sign, which costs nothing, but not pay. */
export async function newcomer(
  product: Product,
  { ju, usdt, ...options }: Money & Partial<TestWalletOptions> = {},
): Promise<Newcomer> {
  const account = privateKeyToAccount(generatePrivateKey())
  await give(product, { to: account.address, ...(ju !== undefined && { ju }), ...(usdt !== undefined && { usdt }) })
  const wallet = walletOf(product, account, options)
  return { ...wallet, account }
}

/** Somebody new whose account is a contract. `ju` is what the contract has; its owner's key pays for its transactions. */
export async function smartNewcomer(product: Product, { ju = 0n }: { ju?: bigint } = {}): Promise<Person> {
  const owner = privateKeyToAccount(generatePrivateKey())
  await give(product, { to: owner.address, ju: parseEther('1') })
  const { abi, bytecode } = await loadArtifact('SmartAccount')
  const data = encodeDeployData({ abi: abi as Abi, bytecode, args: [owner.address] })
  const deploying = await send(product, owner, { to: null, value: 0n, data })
  const { contractAddress } = await mined(product, deploying)
  if (contractAddress === null || contractAddress === undefined) throw new Error('The account was not deployed')
  await give(product, { to: contractAddress, ju })
  const { signMessage, signTypedData, signTransaction } = owner
  // It accepts what its owner signs.
  const account = toAccount({ address: contractAddress, signMessage, signTypedData, signTransaction })
  return walletOf(product, account, { owner })
}

/** A test wallet of an account, ready to be put into a page. */
export function walletOf({ rpcUrl }: Product, account: LocalAccount, options: Partial<TestWalletOptions> = {}) {
  const wallet = createTestWallet({ rpcUrl, realChainId: CHAIN_ID, accounts: [account], ...options })
  return { wallet, pageWallet: { wallet, name: 'Test wallet', rdns: 'test.candela.wallet' } satisfies PageWallet }
}

/** Sends JU from somebody's own wallet to the payment contract, which counts as a deposit of theirs. */
export async function payIn(product: Product, { account }: Newcomer, ju: string): Promise<void> {
  await transact(product, account, { to: product.contracts.gateway, value: parseEther(ju), data: '0x' })
}

/** Hands somebody money. Several test files give at the same time on one chain, so one at a time chooses the nonce. */
export async function give(product: Product, { to, ju = 0n, usdt = 0n }: Money & { to: Address }): Promise<void> {
  const giver = testAccounts()[GIVER]?.account
  if (giver === undefined) throw new Error('The development chain has too few accounts')
  const transfer = { abi: erc20Abi, functionName: 'transfer', args: [to, usdt] } as const
  const payments: Payment[] = [
    ...(ju > 0n ? [{ to, value: ju, data: '0x' } as const] : []),
    ...(usdt > 0n ? [{ to: product.contracts.usdt, value: 0n, data: encodeFunctionData(transfer) }] : []),
  ]
  if (payments.length === 0) return
  const hashes: Hash[] = []
  await withDatabase(product, (db) =>
    transaction(db, async (tx) => {
      await sql`select pg_advisory_xact_lock(${GIVER_LOCK})`.execute(tx)
      for (const payment of payments) hashes.push(await send(product, giver, payment))
    }),
  )
  for (const hash of hashes) await mined(product, hash)
}

type Address = `0x${string}`
type Payment = { to: Address | null; value: bigint; data: `0x${string}` }

const chainAt = ({ rpcUrl }: Product) =>
  defineChain({
    id: CHAIN_ID,
    name: 'development chain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    blockTime: 1_000,
  })

const send = (product: Product, from: LocalAccount, payment: Payment): Promise<Hash> =>
  createWalletClient({ account: from, chain: chainAt(product), transport: http() }).sendTransaction({
    ...payment,
    // Every chain takes transactions of the first kind.
    type: 'legacy',
  })

/** Sends a transaction of somebody's and waits until it has succeeded. */
export const transact = async (product: Product, from: LocalAccount, payment: Payment): Promise<TransactionReceipt> =>
  mined(product, await send(product, from, payment))

async function mined(product: Product, hash: Hash): Promise<TransactionReceipt> {
  const client = createPublicClient({ chain: chainAt(product), transport: http() })
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 200, timeout: FACT_MS })
  if (receipt.status !== 'success') throw new Error(`The transaction ${hash} was reverted`)
  return receipt
}
