import type { AssetCode } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { createChainClient } from '@candela/server/chain/client'
import type { ConfirmationRule } from '@candela/server/chain/crediting/confirmations'
import { withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import { loadSigner, type Signer } from '@candela/server/chain/signer'
import { type Database, transaction } from '@candela/server/db/open'
import type { FakeClock } from '@candela/server/kernel/clock'
import type { IdSource } from '@candela/server/kernel/ids'
import type { Log } from '@candela/server/kernel/log'
import { Secret } from '@candela/server/kernel/secret'
import { rollUp } from '@candela/server/ledger/upkeep/roll-up'
import type { Hex } from 'viem'
import { payoutChain } from '@candela/server/chain/payout/payout-chain'
import { composeAttesting, composeContractWatch } from '@candela/server/jobs/compose-attest'
import { composeLoanWatch, composePayoutWork, composeUpkeep } from '@candela/server/jobs/compose-work'
import { fenceSending } from '../../src/jobs/fence-sending.ts'
import { must } from '@candela/server/kernel/assert'
import { createService, type ServiceParts } from '@candela/testing/server/service'
import { CrashPlugin, CrashPoint } from '../faults/crash-points.ts'
import { LedProcess } from '../lease/led-process.ts'
import type { LeaseTime } from '../lease/lease-time.ts'
import type { Network } from '../faults/network.ts'
import type { ModelContracts } from '../model/calls.ts'
import { pairAddresses, wrappedJu } from '../model/pairs.ts'

const WHOLE = 10n ** 18n
/** Constant, so that the confirmations of a payment do not depend on when it is recorded. USDT base units per whole unit. */
const assetPrices: Record<AssetCode, bigint> = { JU: 5n * WHOLE, USDT: WHOLE, HASH: WHOLE / 2n }

export const priceOf = (asset: AssetCode): bigint => assetPrices[asset]

export const constantPrices = { JU: { average: assetPrices.JU }, HASH: { average: assetPrices.HASH } }

/** These calls count by constant prices; all else by those of the pairs. */
const isPriced = (key: string): boolean => /^(?:GET|POST) (?:withdraw|transfer)\/|^POST (?:power|deposit)\//.test(key)

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
  attesterKey: Hex
  network: Network
  confirmations: ConfirmationRule
  /** The lease of a process that works under one; null for one that works always. */
  led: { url: string; time: LeaseTime } | null
  /** Secret bytes of a snapshot, the same for all processes of a simulation and a time. */
  newSeed: () => Uint8Array
}

export const works = ['follow', 'credit', 'payOut', 'attest', 'reconcile', 'cancelUnpaid', 'rollUp'] as const
/** The works for loans and the fund, and the close of a day of income. */
export const lendingWorks = ['observePrices', 'watchLoans', 'closeLending', 'closeIncome', 'tellDeficits'] as const
export type Work = (typeof works)[number] | (typeof lendingWorks)[number]

type Service = ReturnType<typeof createService>

export type ServerProcess = {
  name: string
  crashPoint: CrashPoint
  /** Null for a process that works always. */
  leading: LedProcess<unknown> | null
  /** One round of what a loop or a periodic task of the server does. Resolves to true when there is more to do at once. */
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
  /** Every endpoint. */
  handlers: Service['handlers']
  contextOf: Service['contextOf']
}

const CREDIT_BATCH = 8

/** Work of which nothing is left when it is done. */
async function once(done: Promise<unknown>): Promise<false> {
  await done
  return false
}

/** Rounds of the loops and periodic tasks. */
type Works = Record<Work, () => Promise<boolean>>

/** Composes what one process runs besides answering calls, with what it keeps in memory. `isLed`: it works under a lease. */
function composeWorks(
  parts: ServiceParts,
  signers: Record<'payer' | 'attester', Signer>,
  { newSeed, isLed }: { newSeed: () => Uint8Array; isLed: boolean },
): Works {
  const { db, clock, client, contracts, confirmations } = parts
  const [ids, log] = [must(parts.ids, 'ids'), must(parts.log, 'a log')]
  const { runTask } = createService(parts)
  const priced = withFixedPrices(db, () => constantPrices, clock)
  const { chainWork } = createService({ ...parts, db: priced })
  const { gateway, usdt, hash } = contracts
  const pairs = { hash, wju: wrappedJu, hashPair: pairAddresses.HASH, juPair: pairAddresses.JU }
  const upkeep = composeUpkeep({ db, client, log, config: pairs })
  const sending = payoutChain(client, contracts)
  const payouts = isLed ? fenceSending(sending, db) : sending
  const payoutWork = composePayoutWork({ payouts, confirmations, db: priced, clock, log })
  const config = { gateway, usdt, hash, confirmations }
  const attest = composeAttesting({ db, client, payouts, config, clock, log, newSeed }, signers.attester)
  const watchContract = composeContractWatch({ db, client, config, clock, log })
  const watchLoans = composeLoanWatch(db, clock, { ids })
  return {
    async follow() {
      const hasMore = await chainWork.follow()
      // Requests that the follower sends ahead must end before the next random choice, or the seed would not repeat.
      await chainWork.sync.prefetched?.fetched.catch(() => undefined)
      return hasMore
    },
    credit: async () => (await chainWork.credit(CREDIT_BATCH)).credited === CREDIT_BATCH,
    payOut: () => payoutWork.payOut(signers.payer),
    attest,
    async reconcile() {
      await payoutWork.reconcile()
      await watchContract()
      return false
    },
    cancelUnpaid: () => once(runTask('cancel-unpaid-orders')),
    rollUp: () => once(transaction(db, rollUp)),
    observePrices: () => once(upkeep.observePrices()),
    watchLoans: () => once(watchLoans()),
    closeLending: () => once(runTask('credit-close')),
    closeIncome: () => once(runTask('daily-close')),
    tellDeficits: () => once(runTask('tell-deficits')),
  }
}

const signerOf = (key: Hex) => loadSigner({ kind: 'value', value: new Secret(key) })

/** A process of the service on the simulated network, with a memory of its own. */
export async function startProcess(parts: ProcessParts): Promise<ServerProcess> {
  const { name, clock, log, ids, contracts, confirmations, newSeed, led } = parts
  const crashPoint = new CrashPoint()
  const db = parts.db.withPlugin(new CrashPlugin(crashPoint))
  const client = createChainClient({
    network,
    rpcUrl: `http://${name}.simulated`,
    retries: 0,
    fetchFn: async (url, init) => {
      const held = crashPoint.pass()
      if (held !== null) await held
      crashPoint.step()
      const response = await parts.network.request(url, init?.body as string)
      crashPoint.step()
      return response
    },
  })
  const serviceParts = { db, clock, client, network, contracts, confirmations, ids, log }
  const { handlers: observing, contextOf } = createService(serviceParts)
  const priced = createService({ ...serviceParts, db: withFixedPrices(db, () => constantPrices, clock) }).handlers
  const handlers = { ...observing, ...Object.fromEntries(Object.entries(priced).filter(([key]) => isPriced(key))) }
  const signers = { payer: await signerOf(parts.payerKey), attester: await signerOf(parts.attesterKey) }
  const compose = (own: Database, isLed: boolean) =>
    composeWorks({ ...serviceParts, db: own }, signers, { newSeed, isLed })
  const underLease = (fenced: Database) => compose(fenced.withPlugin(new CrashPlugin(crashPoint, true)), true)
  const leading = led === null ? null : new LedProcess<Works>({ ...led, name, log, compose: underLease })
  const own = leading === null ? compose(db, false) : null
  return {
    name,
    crashPoint,
    leading,
    work: (work) => (own === null ? must(leading, 'a lease').run((ours) => ours[work]()) : own[work]()),
    order: (input, memberId) => handlers['POST power/getOrder']({ ...input, units: 1 }, contextOf(memberId)),
    deposit: (input, memberId) => handlers['POST deposit/getOrder'](input, contextOf(memberId)),
    withdraw: (input, memberId) => handlers['POST withdraw/apply'](input, contextOf(memberId)),
    handlers,
    contextOf,
  }
}
