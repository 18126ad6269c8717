import { type AssetCode } from '@candela/protocol/assets'
import type { Data } from '@candela/protocol/endpoints'
import { createChainClient } from '@candela/server/chain/client'
import type { ConfirmationRule } from '@candela/server/chain/confirmations'
import { creditConfirmed } from '@candela/server/chain/credit'
import { assetsByAddress } from '@candela/server/chain/decode'
import { firstPace, type FollowDeps, followOnce } from '@candela/server/chain/follow-blocks'
import { payoutChain } from '@candela/server/chain/payout-chain'
import { chainReader } from '@candela/server/chain/read-chain'
import { loadSigner } from '@candela/server/chain/signer'
import { type Database, transaction } from '@candela/server/db/open'
import type { FakeClock } from '@candela/server/kernel/clock'
import type { IdSource } from '@candela/server/kernel/ids'
import type { Log } from '@candela/server/kernel/log'
import { Secret } from '@candela/server/kernel/secret'
import { rollUp } from '@candela/server/ledger/roll-up'
import { getDepositOrder } from '@candela/server/modules/deposit/get-order'
import { cancelUnpaidOrders } from '@candela/server/modules/power/cancel-unpaid-orders'
import { getOrder } from '@candela/server/modules/power/get-order'
import { arePayoutsPaused } from '@candela/server/modules/reconcile/pause'
import { reconcile } from '@candela/server/modules/reconcile/reconcile'
import { applyForWithdrawal } from '@candela/server/modules/withdraw/apply'
import { payOut } from '@candela/server/modules/withdraw/pay-out'
import { notify } from '@candela/server/modules/notice/notify'
import { paymentSettler } from '@candela/server/settle-payments'
import type { Hex } from 'viem'
import type { ModelContracts } from '../model/contract-model.ts'
import { CrashPlugin, CrashPoint } from '../faults/crash-points.ts'
import type { Network } from '../faults/network.ts'

const WHOLE = 10n ** 18n
/** One price for a whole story, so that a late payment is judged the same whenever it is credited. */
const prices: Record<AssetCode, bigint> = { JU: 5n * WHOLE, USDT: WHOLE, HASH: WHOLE / 2n }

export const priceOf = (asset: AssetCode): bigint => prices[asset]

export const network = {
  chainId: '0x33450',
  chainName: 'Simulated',
  nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
  rpcUrls: [],
  blockExplorerUrls: [],
}

export type ProcessParts = {
  name: string
  db: Database
  clock: FakeClock
  log: Log
  ids: IdSource
  contracts: ModelContracts
  payerKey: Hex
  network: Network
  confirmations: ConfirmationRule
}

export type Work = 'follow' | 'credit' | 'payOut' | 'reconcile' | 'cancelUnpaid' | 'rollUp'
export const works: readonly Work[] = ['follow', 'credit', 'payOut', 'reconcile', 'cancelUnpaid', 'rollUp']

export type ServerProcess = {
  name: string
  crashPoint: CrashPoint
  /** One piece of the work that a loop of the service does. True when there is more to do at once. */
  work(work: Work): Promise<boolean>
  order(
    input: { planId: number; asset: 'JU' | 'USDT'; requestId: string },
    memberId: bigint,
  ): Promise<Data<'POST power/getOrder'>>
  deposit(
    input: { asset: AssetCode; amount: bigint; requestId: string },
    memberId: bigint,
  ): Promise<Data<'POST deposit/getOrder'>>
  withdraw(input: { asset: AssetCode; amount: bigint; requestId: string }, memberId: bigint): Promise<unknown>
}

const isChainBehind = () => Promise.resolve(false)
const readPrice = (_db: Database, asset: AssetCode) => Promise.resolve(prices[asset])

/** The server's own parts with nothing of their memory: what `startLoops` and `composeHandlers` put together. */
export async function startProcess(parts: ProcessParts): Promise<ServerProcess> {
  const { name, clock, log, ids, contracts, confirmations } = parts
  const { gateway, usdt, hash } = contracts
  const crashPoint = new CrashPoint()
  const db = parts.db.withPlugin(new CrashPlugin(crashPoint))
  const client = createChainClient({
    network,
    rpcUrl: `http://${name}.simulated`,
    retries: 0,
    fetchFn: async (url, init) => {
      crashPoint.step()
      const answer = await parts.network.request(url as string, init?.body as string)
      crashPoint.step()
      return answer
    },
  })
  const payouts = payoutChain(client, contracts)
  const signer = await loadSigner({ kind: 'value', value: new Secret(parts.payerKey) })
  const pace = firstPace()
  const followDeps: FollowDeps = {
    db,
    reader: chainReader(client, gateway, [usdt, hash]),
    clock,
    log,
    gateway,
    assets: assetsByAddress(contracts),
    confirmations,
    loadValuation: () => Promise.resolve((asset, amount) => (amount * prices[asset]) / WHOLE),
  }
  const settle = paymentSettler({ readPrice })
  const payoutDeps = { db, chain: payouts, signer, clock, log, notify, confirmations, isPaused: arePayoutsPaused }
  const does: Record<Work, () => Promise<boolean>> = {
    async follow() {
      const more = await followOnce(followDeps, pace)
      // What is fetched ahead must be there before anything else is chosen, or a story would not repeat.
      await pace.ahead?.fetched.catch(() => undefined)
      return more
    },
    credit: async () => (await creditConfirmed({ db, clock, log, settle, batchSize: 8 })).credited === 8,
    payOut: () => payOut(payoutDeps),
    async reconcile() {
      await reconcile({ db, chain: payouts, clock, log })
      return false
    },
    cancelUnpaid: async () => (await transaction(db, (tx) => cancelUnpaidOrders(tx, clock.now(), 5))) === 5,
    async rollUp() {
      await transaction(db, rollUp)
      return false
    },
  }
  return {
    name,
    crashPoint,
    work: (work) => does[work](),
    order: (input, memberId) =>
      getOrder(
        { db, ids, contracts, readPrice, isChainBehind },
        { ...input, units: 1 },
        { memberId, now: clock.now() },
      ),
    deposit: (input, memberId) =>
      getDepositOrder({ db, ids, contracts, isChainBehind }, input, { memberId, now: clock.now() }),
    withdraw: (input, memberId) =>
      applyForWithdrawal(
        { db, ids, readPrice, isPaused: arePayoutsPaused, confirmationsOf: () => confirmations.normal },
        input,
        { memberId, now: clock.now() },
      ),
  }
}
