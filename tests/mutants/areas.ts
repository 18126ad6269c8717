import { attestMutations } from './lists/attest.ts'
import { nodeMutations } from './lists/chain/node.ts'
import { nodesMutations } from './lists/chain/nodes.ts'
import { chainMutations } from './lists/chain/chain.ts'
import { priceMutations } from './lists/chain/price.ts'
import { dailyMutations } from './lists/lending/daily.ts'
import { lendingMutations } from './lists/lending/lending.ts'
import { leverMutations } from './lists/lending/lever.ts'
import { onChainMutations } from './lists/lending/on-chain.ts'
import { watchMutations } from './lists/lending/watch.ts'
import { dustMutations } from './lists/dust.ts'
import { exchangeMutations } from './lists/exchange.ts'
import { incomeMutations } from './lists/income.ts'
import { leaseMutations } from './lists/lease.ts'
import { ledgerMutations } from './lists/ledger.ts'
import { depositMutations, sharedMutations, transferMutations } from './lists/limits.ts'
import { memberMutations } from './lists/member.ts'
import { proofMutations } from './lists/proof.ts'
import { requestMutations } from './lists/requests.ts'
import { sessionMutations } from './lists/session.ts'
import { signingMutations } from './lists/operator/signing.ts'
import { standbyMutations } from './lists/standby.ts'
import { loginMessageMutations, webProofMutations } from './lists/web/proof.ts'
import { withdrawMutations } from './lists/withdraw.ts'
import type { Mutation } from './mutation.ts'

/** A part of the product with the tests that have to find its mutations. */
export type Area = {
  name: string
  mutations: readonly Mutation[]
  /** Files or folders of tests, the quick ones first: the next stage runs only for what the one before did not find. */
  stages: readonly (readonly string[])[]
}

export const areas: readonly Area[] = [
  { name: 'ledger', mutations: ledgerMutations, stages: [['server/src/ledger']] },
  {
    name: 'requests',
    mutations: requestMutations,
    stages: [['protocol/request-id.test', 'server/src/db/idempotency'], ['server/src/ledger/commit.test.ts']],
  },
  {
    name: 'session',
    mutations: sessionMutations,
    stages: [['server/src/modules/session', 'server/src/chain/signature/fair-queue.test.ts']],
  },
  {
    name: 'member',
    mutations: memberMutations,
    stages: [
      [
        'server/src/modules/member',
        'server/src/modules/transfer/find-parties.test.ts',
        'server/src/modules/crediting/paid-in.test.ts',
      ],
    ],
  },
  {
    name: 'exchange',
    mutations: exchangeMutations,
    stages: [
      ['server/src/modules/exchange'],
      ['server/test/exchange/exchanges.test.ts', 'server/test/exchange/exchange-limits.test.ts'],
      ['server/test/exchange/desk-limit.test.ts', 'server/test/exchange/held-push.test.ts'],
    ],
  },
  {
    name: 'lending',
    mutations: lendingMutations,
    stages: [
      ['advance', 'fund', 'interest', 'lines', 'liquidation', 'repayment'].map(
        (name) => `protocol/lending/${name}.test`,
      ),
      [
        'server/src/modules/fund',
        'server/src/modules/lending/loan',
        'server/test/lending/lever.test.ts',
        'server/test/lending/liquidation.test.ts',
        'server/test/lending/attacks/price-attacks.long.test.ts',
        'server/test/lending/attacks/ceilings.long.test.ts',
        'server/test/lending/attacks/free-commands.test.ts',
      ],
      [
        'server/test/lending/borrowing.test.ts',
        'server/test/lending/repaying',
        'server/test/lending/daily.test.ts',
        'server/test/lending/audit-interest.test.ts',
      ],
      ['server/test/lending/year'],
    ],
  },
  {
    name: 'price',
    mutations: priceMutations,
    stages: [
      ['server/src/chain/price'],
      ['server/test/lending/attacks/price-attacks.long.test.ts', 'server/test/exchange/held-push.test.ts'],
    ],
  },
  {
    name: 'loan/watch',
    mutations: watchMutations,
    stages: [
      ['server/test/lending/liquidation.test.ts', 'server/test/lending/attacks/price-attacks.long.test.ts'],
      ['server/test/lending/paid-in-time.test.ts', 'server/test/lending/lever.test.ts'],
    ],
  },
  {
    name: 'loan/daily',
    mutations: dailyMutations,
    stages: [
      ['server/test/lending/daily.test.ts', 'server/test/lending/block-day.test.ts'],
      [
        'server/test/lending/audit-interest.test.ts',
        'server/test/lending/repaying',
        'server/test/lending/late-crediting.long.test.ts',
        'server/src/modules/fund',
      ],
    ],
  },
  {
    name: 'lever',
    mutations: leverMutations,
    stages: [
      ['server/test/lending/lever.test.ts'],
      [
        'server/test/lending/attacks/ceilings.long.test.ts',
        'server/test/lending/attacks/price-attacks.long.test.ts',
        'server/test/lending/attacks/free-commands.test.ts',
      ],
    ],
  },
  {
    name: 'credit-on-chain',
    mutations: onChainMutations,
    stages: [
      ['server/src/chain/follow/standstill.test.ts', 'server/test/lending/block-day.test.ts'],
      [
        'server/test/lending/paid-in-time.test.ts',
        'server/test/lending/late-crediting.long.test.ts',
        'server/test/lending/repaying-on-chain.test.ts',
      ],
    ],
  },
  {
    name: 'income',
    mutations: incomeMutations,
    stages: [['server/src/modules/income'], ['server/test/payments/incomes.test.ts']],
  },
  {
    name: 'withdraw',
    mutations: withdrawMutations,
    stages: [
      ['server/src/modules/withdraw'],
      [
        'server/test/payouts/withdrawals.test.ts',
        'server/test/payouts/withdrawal-reviews.test.ts',
        'server/test/payouts/contract-watch.test.ts',
        'server/test/payouts/payouts',
        'server/test/payouts/blocked.test.ts',
        'server/test/payouts/queue',
        'server/test/payouts/griefing.long.test.ts',
      ],
      ['server/test/payouts/payer-key.test.ts', 'server/test/payouts/lost-payer.long.test.ts'],
      [
        'server/test/payouts/reconciliation.test.ts',
        'server/test/payouts/ledger-audit.test.ts',
        'server/test/payouts/restored-payout.test.ts',
        'server/test/payouts/nodes/several-nodes.long.test.ts',
      ],
    ],
  },
  {
    name: 'chain',
    mutations: chainMutations,
    stages: [['server/src/chain/follow', 'server/src/chain/crediting'], ['server/src/chain']],
  },
  {
    name: 'node',
    mutations: nodeMutations,
    stages: [['server/src/chain/node', 'server/src/chain/client.test.ts']],
  },
  {
    name: 'nodes',
    mutations: nodesMutations,
    stages: [
      ['server/src/chain/nodes'],
      ['server/test/payouts/nodes/several-nodes.long.test.ts', 'server/test/payouts/nodes/prices.test.ts'],
    ],
  },
  {
    name: 'deposit',
    mutations: depositMutations,
    stages: [['server/src/modules/deposit'], ['server/test/payments/deposits.test.ts']],
  },
  {
    name: 'dust',
    mutations: dustMutations,
    stages: [['server/test/payments/dust.test.ts', 'server/test/payments/free-rows.test.ts']],
  },
  {
    name: 'transfer',
    mutations: transferMutations,
    stages: [['server/src/modules/transfer'], ['server/test/transfer']],
  },
  {
    name: 'shared',
    mutations: sharedMutations,
    stages: [['server/src/api/shared-limits.test.ts', 'server/src/http/gateway/shared-handshakes.test.ts']],
  },
  {
    name: 'lease',
    mutations: leaseMutations,
    stages: [
      ['server/src/db/lease', 'server/src/jobs/lead.test.ts', 'server/src/jobs/loop.test.ts'],
      ['server/src/jobs/worker.test.ts', 'server/test/payouts/fenced-payouts.test.ts'],
    ],
  },
  {
    name: 'attest',
    mutations: attestMutations,
    stages: [
      ['server/test/proof/attest-rounds.test.ts'],
      ['server/test/proof/attesting.test.ts'],
      ['server/test/payouts/contract-watch.test.ts'],
    ],
  },
  {
    name: 'proof',
    mutations: proofMutations,
    stages: [
      ['server/src/modules/proof', 'server/test/proof/owed-parts.test.ts', 'server/test/proof/later-days.test.ts'],
      [
        'server/test/proof/one-snapshot.test.ts',
        'server/test/proof/published.test.ts',
        'server/test/proof/small-amounts.test.ts',
        'server/test/proof/owed-worlds.long.test.ts',
        'server/test/proof/threads.long.test.ts',
      ],
    ],
  },
  {
    name: 'signing',
    mutations: signingMutations,
    stages: [
      ['server/src/operator/signing'],
      ['server/src/operator/commands/operator-commands.test.ts', 'server/src/operator/run-command.test.ts'],
    ],
  },
  { name: 'web-proof', mutations: webProofMutations, stages: [['web/src/proof']] },
  {
    name: 'login-message',
    mutations: loginMessageMutations,
    stages: [['web/src/session/sign-in/login-message.test.ts']],
  },
  {
    name: 'standby',
    mutations: standbyMutations,
    stages: [['server/test/standby/standby.long.test.ts'], ['server/test/standby/members.long.test.ts']],
  },
]
