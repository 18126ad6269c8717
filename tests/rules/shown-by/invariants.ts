/** The invariants, and the test that fails where one does not hold: `npm run reference -- invariants`. */
export const invariants: Readonly<Record<string, string>> = {
  'The server works with the contracts, pairs and tokens that the payment contract itself names, or does not start':
    'server/src/chain/check-contracts.test.ts',
  'Of a command and its giving up exactly one counts, whichever is faster':
    'server/src/db/idempotency/request-outcome.test.ts',
  'What somebody wants is done once, whatever becomes of its answer and of the prices meanwhile':
    'tests/journeys/outcome/lost-answers.long.test.ts',
  'Every posting balances per asset; the same id has one effect, whatever the order of arrival':
    'server/src/ledger/ledger.test.ts',
  'The account of a server cannot change the ledger but by posting, nor what protects it':
    'server/src/db/grants.test.ts',
  'No floored account goes below zero; the journal is append-only': 'server/src/ledger/rules.test.ts',
  'The running service finds what breaks a rule of the ledger, sealed or new, and pauses withdrawals':
    'server/src/ledger/audit/audit-round.test.ts',
  'Postings, pages and the audit go on from one partition to the next; every partition is append-only; posting never lacks one':
    'server/src/ledger/upkeep/partitions.test.ts',
  'The same under concurrency, without a deadlock that anybody sees': 'server/src/ledger/concurrency.test.ts',
  'Of several servers one runs the loops; one that was paused, killed or cut off is replaced, and writes nothing more':
    'server/test/faults/leases.long.test.ts',
  'Nothing is committed under a lease that another has taken': 'server/src/db/lease/fence.test.ts',
  'A worker that is paused or cut off at any step writes nothing once the other has taken over, and nothing is done twice':
    'server/simulate/simulate.long.test.ts',
  'Through kills of server and Postgres nothing acknowledged is lost, nothing is done twice':
    'server/test/faults/kill-loop.long.test.ts',
  'A restored database reads the chain again to the same postings; what was on no chain is listed':
    'devnet/drill/drill.long.test.ts',
  'What was acknowledged is there after the loss, a pause or the isolation of the primary, and writes go on at another Postgres':
    'devnet/cluster/faults.long.test.ts',
  'No read of a member is older than what it was shown before, also when a standby answers it':
    'server/test/standby/members.long.test.ts',
  'The previous version works beside this one, on the schema of this one':
    'server/test/release/two-versions.long.test.ts',
  'A server that is replaced behind the proxy loses no call': 'server/test/release/rolling-restart.long.test.ts',
  'A cluster under load goes on without any one of its parts, and its books are those of the chain':
    'devnet/cluster/faults.long.test.ts',
  'An on-chain payment is credited exactly once, through reorganisations and duplicates':
    'server/simulate/simulate.long.test.ts',
  'A repayment credited days later leaves the loan as one credited at once':
    'server/test/lending/late-crediting.long.test.ts',
  'The same for what is done with loans and the fund, on chain and off, through kills and reorganisations':
    'server/simulate/simulate.long.test.ts',
  'Money that matches no order ends on a balance or in suspense': 'server/test/payments/payments.test.ts',
  "An operator's command is done when it is signed for exactly this, once; what is dangerous, when two have signed it":
    'server/src/operator/signing/execute.test.ts',
  'Blocks are linked to each other, and a reorganisation reverts what it removes':
    'server/src/chain/follow/reconcile-block.test.ts',
  'A payment id is paid once and within the cap, by the contract itself':
    'contracts/test/invariant/PaymentGateway.inv.t.sol',
  'No single stolen key takes more than its bound, and an honest operator can attest within a day of replacing it':
    'contracts/test/invariant/Thief.inv.t.sol',
  'One lying or stale node neither gives money back, nor has a large payment credited, nor stops either of them':
    'server/test/payouts/nodes/several-nodes.long.test.ts',
  'A withdrawal is signed for once, paid at most once, and released only when it cannot be paid':
    'server/test/payouts/payouts.test.ts',
  'The tree has what each member is owed and the ledger’s sums, or nothing is attested':
    'server/test/proof/owed-worlds.long.test.ts',
  'A crowd of dust is one line a day and asset for its recipient, and nothing of it is lost or booked twice':
    'server/test/payments/dust.test.ts',
  'Limits refuse no newcomer; an account beyond them goes unless something is paid in, and never one that the ledger has':
    'server/src/modules/member/crowd.test.ts',
  'An account that is owed nothing costs no leaf, and what is too little for one is in the platform’s':
    'server/test/proof/small-amounts.test.ts',
  'Fund shares are owed in kind: lenders get the collateral of their loans, and nobody else bears what borrowers withdrew':
    'protocol/proof/owed.test.ts',
  'A day is attested once, by the attester’s own key; by its proof a member claims after an exit':
    'server/test/proof/attesting.test.ts',
  'What a leaf was computed from recomputes it to the base unit, and is the same after whatever is posted later':
    'server/test/proof/owed-parts.test.ts',
  'A proof of any day and a kept tree of the last attested day give the proof that the service gives of that day':
    'server/test/proof/later-days.test.ts',
  'Any change to a leaf, a sum, a salt, a path or its order is found': 'protocol/proof/sum-tree.test.ts',
  'Claims are within what is held, nobody claims twice, and after an exit nothing else moves money':
    'contracts/test/invariant/Exit.inv.t.sol',
  'When the service ends for good at any instant, everybody gets from the contract what was owed, less what was paid':
    'server/simulate/simulate.long.test.ts',
  'A member is told of what happened once, in the transaction that did it': 'server/test/statement/notices.test.ts',
  "A statement's amounts sum to the balance, for every asset and account": 'server/test/statement/statement.test.ts',
  'An exchange gives what its quote promised, or less within what was agreed, once; round trips never gain':
    'server/test/exchange/exchanges.test.ts',
  'Of anything that can be paid into the contract nothing halts crediting and nothing is lost':
    'server/test/payments/payments-fuzz.long.test.ts',
  'Unpaid orders hold at most half of what is unsold of a plan; each unit is sold once':
    'server/src/modules/power/plans/plan.test.ts',
  'A withdrawal ends unpaid only because of its recipient; after any other refusal it is tried again':
    'server/src/modules/withdraw/payout/sign-payout.test.ts',
  'The books equal the chain per asset, or withdrawals pause and say what differs':
    'server/test/payouts/reconciliation.test.ts',
  "A session alone moves nothing: a transfer needs its owner's signature over its exact terms, once":
    'server/test/transfer/transfers.test.ts',
  'A contract signs in by its own word alone, asked within bounds; no two accounts share a signature':
    'server/test/signature/smart-account.long.test.ts',
  'A device that was signed out knows why, keeps nothing, and asks the wallet for nothing':
    'tests/journeys/account/devices.long.test.ts',
  'What somebody types becomes exactly that amount or is refused': 'web/src/ui/amount/read-amount.test.ts',
  'No income without revenue: a day pays what was deposited for it, each account once':
    'server/src/modules/income/close-days.test.ts',
  'The same when the close is killed at any instant': 'server/test/faults/kill-close.long.test.ts',
  'No read of a member costs more because its owner has a long history': 'server/test/history/history.long.test.ts',
  'A rank is that of a full count over everything, and nothing is paid for it':
    'server/src/modules/ranking/ranking.test.ts',
  'Both ends of the envelope agree, and nothing altered is accepted': 'server/src/http/gateway/gateway.test.ts',
  'Of envelopes that were tampered with none is accepted, and all get the same answer':
    'server/src/http/gateway/gateway-hostile.long.test.ts',
  'Servers with a Redis have one limit and accept an envelope once; without its answer limits go on and envelopes are refused':
    'server/test/faults/shared-redis.long.test.ts',
  'Calls cross between the threads whole, each to its own answer, and those under way are answered at a stop':
    'server/src/http/worker/worker.test.ts',
  "Nobody who is slow is waited for without end, or takes another's place":
    'server/src/http/limits/slow-clients.long.test.ts',
  'What is too large is cut off early; hostile heads, bodies and forms are bad input and no more':
    'server/src/http/limits/sizes.test.ts',
  'Every kind of answer carries the security lines and lets no other origin in':
    'server/src/http/headers/security-headers.test.ts',
  'No token, signature, login message or key is in the log, whatever becomes of a call':
    'server/test/api/log-secrets.long.test.ts',
  'Every endpoint answers any input as the table says, and never with a fault of ours':
    'server/test/api/api-fuzz.long.test.ts',
  'Each threat and each item of the ASVS has a test that shows how it stands, or says what does not hold':
    'tests/rules/security.test.ts',
  'Each table is written by its owner alone, and read by those who are listed with a reason':
    'tests/rules/tables.test.ts',
  'Row types are those of the migrated schema': 'server/src/db/schema/tables.test.ts',
  'A wallet that is silent, slow or busy leaves nobody at a dead end, and no window opens that nobody tapped for':
    'tests/journeys/wallet/wallets.long.test.ts',
  'A wallet on another device signs and pays over a relay that reads nothing; the page connects to nobody else':
    'tests/journeys/wallet/remote.long.test.ts',
  'What a person is told works in a real browser with a real wallet': 'tests/journeys/power/buy-power.test.ts',
  'A falling price leads to a margin call, then to the sale of a part, and the report has every figure of it':
    'tests/journeys/lending/leverage.long.test.ts',
  "Only envelopes leave the app; whatever breaks on their way is said in the reader's language":
    'tests/journeys/network/calls.long.test.ts',
  'Every screen in every language can be read by anybody: access rules, a small phone, keyboard':
    'tests/journeys/screens/every-screen.long.test.ts',
  'Without the server the app opens, and nothing that the API answered is kept or shown as current':
    'tests/journeys/network/without-connection.long.test.ts',
  'Files of the app that are lost while a phone changes its network come by themselves, or the page says so':
    'tests/journeys/network/changed-network.long.test.ts',
  'A long list keeps few elements in the page, the focus, and says which row is which':
    'tests/journeys/money/long-lists.long.test.ts',
  'A lie in any published figure is found from the chain, and named': 'tests/journeys/verify/verify.long.test.ts',
  'Of an HTTP answer only what its status allows is believed': 'client/answers.test.ts',
}
