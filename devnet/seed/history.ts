/**
 * A few days of past for a new development chain, which begins that many days ago: somebody bought power then, and the
 * days since have revenue and are closed. So a newcomer sees public figures that can be recomputed, all of them real.
 */
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID, CHAIN_ID_HEX } from '@candela/protocol/chain/network'
import { createChainClient } from '@candela/server/chain/client'
import { chainReader } from '@candela/server/chain/follow/read-chain'
import { loadSigner } from '@candela/server/chain/signer'
import { startFollowing } from '@candela/server/chain/follow/start-following'
import { composeChainWork } from '@candela/server/main/compose-work'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { Secret } from '@candela/server/kernel/secret'
import { addDays, utcDay } from '@candela/protocol/calendar'
import { getOrder } from '@candela/server/modules/power/orders/get-order'
import { listAllPlans } from '@candela/server/modules/power/plans/manage-plans'
import { registerMember } from '@candela/server/modules/member/register'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { type TestAccount, testAccounts } from '../chain/accounts.ts'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../deploy/deploy.ts'
import { give } from './operators.ts'
import { rootInvitation } from './seed.ts'

/** How many days ago a chain with a past begins. Power that is bought then earns on all days but the first. */
export const HISTORY_DAYS = 4

/** Who bought power on the first day. */
export const HOLDER = 2

/** Units of the plan that was put on sale first, second, … */
const purchases = [40, 25]
/** HASH of the days before yesterday and of yesterday, as a real installation's differ. */
const revenues = ['2.1305', '2.348', '2.2765']

export type HistoryOptions = {
  databaseUrl: string
  dataDir: string
  chain: Chain
  deployment: Deployment
  confirmations: { normal: number; large: number; largeAbove: bigint }
  /** `power`: only the purchase, and days are left for somebody to close by hand. */
  extent: 'full' | 'power'
  nowMs: () => number
}

/** Runs before blocks tick and before the server starts. Cut short, it is not gone on with: there is less past then. */
export async function makeHistory(options: HistoryOptions): Promise<void> {
  const db = openDatabase({ url: options.databaseUrl, log: silentLog(), poolSize: 4 })
  try {
    const settle = await follower(db, options)
    await buyPower(db, options, settle)
    // The days between are empty: nothing has happened on this chain.
    await options.chain.mine(Math.floor(options.nowMs() / 1000) - 120)
    if (options.extent === 'power') await command(options, ['setting', 'set', 'closeMinutes', '1439'])
    else await shareDays(options, settle)
  } finally {
    await db.destroy()
  }
}

/** Paid in USDT, whose price is one. */
const readPrice = () => Promise.resolve(null)
const loadValuation = () => Promise.resolve(() => null)
const isChainBehind = () => Promise.resolve(false)

const clockOf = (chain: Chain) => ({ now: () => new Date(chain.tip().timestampS * 1_000) })

/** Reads the chain to its head and credits what is confirmed, as the server does all the time. */
async function follower(
  db: Database,
  { chain, deployment, confirmations }: HistoryOptions,
): Promise<() => Promise<void>> {
  const gateway = lower(deployment.gateway)
  const clock = clockOf(chain)
  const log = silentLog()
  const client = clientOf(chain)
  const reader = chainReader(client, gateway, [lower(deployment.usdt), lower(deployment.hash)])
  const contract = { chainId: CHAIN_ID, gateway, startBlock: BigInt(deployment.startBlock) }
  await transaction(db, (tx) => startFollowing(tx, contract, clock.now()))
  const contracts = { gateway, usdt: lower(deployment.usdt), hash: lower(deployment.hash) }
  const prices = { readPrice, loadValuation }
  const { follow, credit } = composeChainWork({ contracts, confirmations, prices, db, reader, clock, log })
  return async () => {
    for (let block = 0; block < confirmations.large; block += 1) await chain.mine()
    while (await follow());
    await credit(100)
  }
}

async function buyPower(db: Database, options: HistoryOptions, settle: () => Promise<void>): Promise<void> {
  const { chain, deployment } = options
  const clock = clockOf(chain)
  const ids = systemIds(clock)
  const holder = accountAt(HOLDER)
  const newcomer = { address: lower(holder.address), invitationCode: rootInvitation, now: clock.now() }
  const memberId = await transaction(db, (tx) => registerMember(tx, ids, newcomer))
  const contracts = { gateway: lower(deployment.gateway), usdt: lower(deployment.usdt) }
  const wallet = createWalletClient({ account: holder.account, transport: http(chain.url) })
  const send = async (to: Hex, data: Hex, gas: bigint) => {
    await wallet.sendTransaction({ to, data, gas, chain: null })
    await chain.mine()
  }
  for (const [nth, plan] of (await listAllPlans(db)).slice(0, purchases.length).entries()) {
    const units = purchases[nth] ?? 1
    const { order } = await getOrder(
      { db, ids, contracts, readPrice, isChainBehind },
      { planId: Number(plan.id), units, asset: 'USDT', requestId: `history-${plan.id}` },
      { memberId, now: clock.now() },
    )
    if (order.transaction === null) throw new Error(`order ${order.orderNo} cannot be paid`)
    const amount = BigInt(order.transaction.tuple[0])
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [contracts.gateway, amount] })
    await send(contracts.usdt, approve, 100_000n)
    await send(order.transaction.to as Hex, order.transaction.data as Hex, BigInt(order.transaction.gas))
  }
  await settle()
}

async function shareDays(options: HistoryOptions, settle: () => Promise<void>): Promise<void> {
  const today = utcDay(new Date(options.nowMs()))
  for (const [nth, amount] of revenues.entries()) {
    const day = addDays(today, nth - revenues.length)
    await mining(options.chain, command(options, ['revenue', 'post', '--day', day, '--amount', amount]))
  }
  await settle()
  await command(options, ['close', '--day', addDays(today, -1)])
}

/** The operator's own command, signed and audited like any other. */
async function command(options: HistoryOptions, words: readonly string[]): Promise<void> {
  const { chain, deployment, confirmations, databaseUrl, dataDir } = options
  const owner = accountAt(0)
  await give({ databaseUrl, dataDir, clock: clockOf(chain) }, 'first', words, {
    openChain: () =>
      Promise.resolve({
        client: clientOf(chain),
        gateway: lower(deployment.gateway),
        hash: lower(deployment.hash),
        signer: () => loadSigner({ kind: 'value', value: new Secret(owner.privateKey) }),
      }),
    depth: () => Promise.resolve(confirmations.large),
    // The server does not run yet.
    seenWithin_ms: 0,
  })
}

/** Makes a block now and then for as long as something waits for one. */
async function mining(chain: Chain, work: Promise<void>): Promise<void> {
  const done = work.then(
    () => true,
    () => true,
  )
  do await chain.mine()
  while (!(await Promise.race([done, sleep(60, false)])))
  await work
}

function clientOf(chain: Chain) {
  const network = {
    chainId: CHAIN_ID_HEX,
    chainName: 'development chain',
    nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
    rpcUrls: [chain.url],
    blockExplorerUrls: [],
  }
  return createChainClient({ network, rpcUrl: chain.url, retries: 0 })
}

const lower = (address: string): Hex => address.toLowerCase() as Hex

function accountAt(index: number): TestAccount {
  const account = testAccounts()[index]
  if (account === undefined) throw new Error(`The development mnemonic has no account ${index}`)
  return account
}
