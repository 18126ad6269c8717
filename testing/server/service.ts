import type { Key } from '@candela/protocol/endpoints'
import { CHAIN_ID, type NetworkConfig } from '@candela/protocol/chain/network'
import type { ChainClient } from '@candela/server/chain/client'
import type { ConfirmationRule } from '@candela/server/chain/crediting/confirmations'
import { payoutChain } from '@candela/server/chain/payout/payout-chain'
import { askContractOn } from '@candela/server/chain/signature/ask-contract'
import { chainReader } from '@candela/server/chain/follow/read/read-chain'
import { type Agree, agreeThrough } from '@candela/server/chain/nodes/agree'
import { startFollowing } from '@candela/server/chain/follow/start-following'
import { composeHandlers } from '@candela/server/main/compose/compose-handlers'
import { composeChainWork, composePayoutWork } from '@candela/server/jobs/compose-work'
import { type Database, transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import type { Clock } from '@candela/server/kernel/clock'
import type { Handlers, SessionContext } from '@candela/server/kernel/handler'
import { type IdSource, systemIds } from '@candela/server/kernel/ids'
import { type Log, silentLog } from '@candela/server/kernel/log'
import { periodicTasks } from '@candela/server/jobs/periodic-tasks'
import type { Hex } from 'viem'

export type ServiceParts = {
  db: Database
  clock: Clock
  client: ChainClient
  network: NetworkConfig
  /** Addresses in lower case. */
  contracts: { gateway: Hex; usdt: Hex; hash: Hex }
  confirmations: ConfirmationRule
  /** By default from the operating system's random source. */
  ids?: IdSource
  /** By default nothing is logged. */
  log?: Log
  /** For reconciliation and payouts; by default `client`. */
  payoutClient?: ChainClient
  /** Asks several nodes where money is decided; by default one decides. */
  agree?: Agree | undefined
}

/** How old the head and how far behind the follower may be: a test's clock and chain stand still between its steps. */
const unlimited = { maxHeadAge_s: Infinity, maxLag_blocks: Number.MAX_SAFE_INTEGER }

/**
 * The service as `main` composes it, without sockets and loops: a test calls its handlers and runs its work step by step.
 * Two services on the same database behave like two server processes.
 */
export function createService(parts: ServiceParts) {
  const { db, clock, client, network, contracts, confirmations, agree } = parts
  const { gateway, usdt, hash } = contracts
  const ids = parts.ids ?? systemIds(clock)
  const log = parts.log ?? silentLog()
  const reader = chainReader(client, gateway, [usdt, hash])
  const payouts = payoutChain(parts.payoutClient ?? client, contracts)
  const config = {
    network,
    walletConnect: null,
    signIn: { domain: 'candela.test', uri: 'https://candela.test' },
    chain: { ...contracts, confirmations, ...unlimited },
  }
  const handlers: Handlers<Key> = composeHandlers({ config, db, askContract: askContractOn(client), ids, log })
  const tasks = periodicTasks(db, clock, Math.max(confirmations.normal, confirmations.large))
  return {
    handlers,
    chainWork: composeChainWork({
      contracts,
      confirmations,
      db,
      reader,
      agree: agree && agreeThrough(agree, (node) => chainReader(node, gateway, [usdt, hash])),
      clock,
      log,
    }),
    payoutWork: composePayoutWork({
      payouts,
      agree: agree && agreeThrough(agree, (node) => payoutChain(node, contracts)),
      confirmations,
      db,
      clock,
      log,
    }),
    /** Runs a periodic task once. Resolves to its figures. */
    runTask: async (name: string): Promise<Record<string, number>> =>
      (await must(tasks[name], `${name} is a periodic task`).run()) ?? {},
    /** @throws when the database follows another contract */
    startFollowing: (startBlock: bigint) =>
      transaction(db, (tx) => startFollowing(tx, { chainId: CHAIN_ID, gateway, startBlock }, clock.now())),
    /** The context of a call by a member's session, at the clock's time. */
    contextOf: (memberId: bigint): SessionContext => ({
      lang: 'en',
      callId: 'test',
      now: clock.now(),
      clientAddress: '127.0.0.1',
      userAgent: 'test',
      memberId,
      sessionId: '00000000-0000-4000-8000-000000000000',
    }),
  }
}
