/**
 * A few days of past for a new development chain, which begins that many days ago: somebody bought power then, and the
 * days since have revenue and are closed. Somebody put money into the fund, and the person of the demo wallet has a loan and a
 * leveraged loan of it. So a newcomer sees figures that can be recomputed, all of them real.
 */
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { chainReader } from '@candela/server/chain/follow/read/read-chain'
import { assetsByAddress } from '@candela/server/chain/follow/read/decode'
import { loadSigner } from '@candela/server/chain/signer'
import { startFollowing } from '@candela/server/chain/follow/start-following'
import { composeChainWork } from '@candela/server/jobs/compose-work'
import { openDatabase, transaction } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { Secret } from '@candela/server/kernel/secret'
import { addDays, utcDay } from '@candela/protocol/calendar'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../deploy/deploy.ts'
import { closeLendingDays, payIn, borrowAndLend } from './lending-history.ts'
import type { Proposed } from '@candela/server/operator/signing/proposals'
import { give, giveByBoth } from './operators.ts'
import {
  accountAt,
  clientOf,
  clockOf,
  contractsOf,
  lower,
  type Past,
  register,
  approval,
  chainLimits,
  send,
} from './past.ts'
import { deskPayments, stockDesk } from './stock-desk.ts'
import { systemIds } from '@candela/server/kernel/ids'
import { getOrder } from '@candela/server/modules/power/orders/get-order'
import { listAllPlans } from '@candela/server/modules/power/plans/manage-plans'
import type { Hex } from 'viem'

/** Units of the plan that was put on sale first, second, … */
const purchases = [40, 25]

/** Orders power and pays for it, as the app does. */
async function buyPower(past: Past, { index, memberId }: { index: number; memberId: bigint }): Promise<void> {
  const { db, chain, deployment } = past
  const clock = clockOf(chain)
  const ids = systemIds(clock)
  const contracts = contractsOf(deployment)
  for (const [nth, plan] of (await listAllPlans(db)).slice(0, purchases.length).entries()) {
    const units = purchases[nth] ?? 1
    const { order } = await getOrder(
      { db, ids, contracts, chainLimits },
      { planId: Number(plan.id), units, asset: 'USDT', requestId: ids.uuid() },
      { memberId, now: clock.now() },
    )
    if (order.transaction === null) throw new Error(`order ${order.orderNo} cannot be paid`)
    const { to, data, gas, tuple } = order.transaction
    await send(past, index, [
      approval(contracts.usdt, contracts.gateway, BigInt(tuple[0])),
      { to: to as Hex, data: data as Hex, gas: BigInt(gas) },
    ])
  }
}

/** The account that bought power on the first day, and put money into the fund. */
export const HOLDER = 2
/** The account that has the loans: the first account of the demo wallet. */
export const BORROWER = 5

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

const isOfClose = ({ command: name, input }: Proposed): boolean =>
  name === 'setting set' && input['key'] === 'closeMinutes'

/** Runs before blocks tick and before the server starts. Cut short, it is not gone on with: there is less past then. */
export async function makeHistory(options: HistoryOptions): Promise<void> {
  const { chain, deployment, extent, nowMs } = options
  const db = openDatabase({ url: options.databaseUrl, log: silentLog(), poolSize: 4 })
  const past = { db, chain, deployment }
  try {
    const settle = await follower(past, options)
    const holder = { index: HOLDER, memberId: await register(past, HOLDER) }
    await buyPower(past, holder)
    if (extent === 'full') await makeLendingHistory(past, options, holder, settle)
    else await settle()
    // The days between are empty: nothing has happened on this chain.
    await chain.mine(Math.floor(nowMs() / 1000) - 120)
    // Time is let pass on this chain in one step, and it sleeps while nobody runs it.
    await command(options, ['setting', 'set', 'standstillMinutes', '525600'])
    if (extent === 'power') {
      const { databaseUrl, dataDir } = options
      const words = ['setting', 'set', 'closeMinutes', '1439']
      await giveByBoth(db, { databaseUrl, dataDir, clock: clockOf(chain) }, words, isOfClose)
    } else await shareDays(options, settle)
  } finally {
    await db.destroy()
  }
}

async function makeLendingHistory(
  past: Past,
  { databaseUrl, dataDir, chain, nowMs }: HistoryOptions,
  holder: { index: number; memberId: bigint },
  settle: () => Promise<void>,
): Promise<void> {
  const borrower = { index: BORROWER, memberId: await register(past, BORROWER) }
  await payIn(past, holder, borrower)
  await settle()
  const installation = { databaseUrl, dataDir, clock: clockOf(chain) }
  await stockDesk(past.db, installation, deskPayments(), new AbortController().signal)
  await borrowAndLend(past, holder, borrower)
  await closeLendingDays(past, nowMs() - 120_000, settle)
}

/** Reads the chain to its head and credits what is confirmed, as the server does all the time. */
async function follower(
  { db, chain, deployment }: Past,
  { confirmations }: HistoryOptions,
): Promise<() => Promise<void>> {
  const contracts = contractsOf(deployment)
  const { gateway, usdt, hash } = contracts
  const clock = clockOf(chain)
  const log = silentLog()
  const reader = chainReader(clientOf(chain), gateway, [usdt, hash])
  const contract = { chainId: CHAIN_ID, gateway, startBlock: BigInt(deployment.startBlock) }
  await transaction(db, (tx) => startFollowing(tx, contract, clock.now()))
  const { follow, credit } = composeChainWork({ contracts, confirmations, db, reader, clock, log })
  return async () => {
    for (let block = 0; block < confirmations.large; block += 1) await chain.mine()
    while (await follow());
    await credit(100)
  }
}

async function shareDays(options: HistoryOptions, settle: () => Promise<void>): Promise<void> {
  const today = utcDay(new Date(options.nowMs()))
  for (const [nth, amount] of revenues.entries()) {
    const day = addDays(today, nth - revenues.length)
    await command(options, ['revenue', 'post', '--day', day, '--amount', amount])
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
        client: miningClient(chain),
        gateway: lower(deployment.gateway),
        hash: lower(deployment.hash),
        assets: () => assetsByAddress(deployment),
        signer: () => loadSigner({ kind: 'value', value: new Secret(owner.privateKey) }),
      }),
    depth: () => Promise.resolve(confirmations.large),
    // The server does not run yet.
    seenWithin_ms: 0,
  })
}

/** Each transaction gets a block at once, so that nobody waits for one. */
function miningClient(chain: Chain): ReturnType<typeof clientOf> {
  const client = clientOf(chain)
  return {
    ...client,
    async sendRawTransaction(signed) {
      const hash = await client.sendRawTransaction(signed)
      await chain.mine()
      return hash
    },
  }
}
