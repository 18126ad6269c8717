/** The tests of each threat of docs/understand/security.md, by its heading. A file, then the title of the test; without a title the whole file. */
export const threats: Readonly<Record<string, readonly string[]>> = {
  'A stranger signs in as somebody else': [
    'server/src/modules/session/session.test.ts when we did not issue exactly this text',
    'server/src/modules/session/session.test.ts by another key, of another text, or mangled is 4005 and leaves the message usable',
    'server/src/modules/session/session.test.ts when it was issued for another address',
  ],
  'A login message is sent twice': [
    'server/src/modules/session/session.test.ts when a login that was checked in time is only done after the used nonces were swept',
    'server/src/modules/session/session.test.ts 20 logins with one nonce at the same time get one token',
    'server/src/modules/session/session.test.ts when it was used',
  ],
  'A contract claims to be a wallet that it is not, or wastes the node’s time': [
    'server/src/modules/session/session.test.ts by a contract makes nobody else wait, however many one network or one account sends',
    'server/test/signature/smart-account.long.test.ts every signature but the owner’s over this very message, deployed or not',
    'server/test/signature/smart-account.long.test.ts what would burn the node’s time, while plain keys get in',
  ],
  'A node signs in the name of a member': [
    'server/src/chain/signature/ask-nodes.test.ts one node of several signs in the name of nobody, and takes nobody’s signature away',
    'server/src/chain/signature/ask-nodes.test.ts while so many nodes are silent that the others decide nothing, it is not known',
  ],
  'A contract, or whoever answers as the node, makes the server fetch an address of their choice': [
    'server/src/chain/client.test.ts URLs that a contract names for fetching more are not requested',
    'server/src/chain/client.test.ts a redirect to another node is not followed',
  ],
  'A session token is stolen': [
    'server/test/signature/stolen-token.long.test.ts who has nothing but a token of somebody’s gets nothing out of any endpoint',
    'server/test/transfer/transfers.test.ts whatever differs from what was signed, each by its code, and nothing moves',
    'server/src/modules/session/devices.test.ts ends thirty days after signing in, however much it is used',
  ],
  'A signature is used again, or for other terms': [
    'server/test/transfer/transfers.test.ts signatures for another chain, another contract or another kind of message are worth nothing',
    'server/test/transfer/transfers.test.ts the other form of the same signature moves nothing a second time',
    'server/test/transfer/transfer-repetitions.test.ts twenty times at once has one effect and one answer; with other terms it is 4090',
  ],
  'A member spends the same money twice': [
    'server/src/ledger/concurrency.test.ts of many that spend the same money at once, exactly as many succeed as there is money for',
    'server/src/ledger/rules.test.ts a balance below zero is refused by the table itself',
    'server/src/db/idempotency/run-idempotent.test.ts of many at the same time one does the work and all get its result',
  ],
  'A member makes the transfers of others fail': [
    'server/src/ledger/commit.test.ts amounts whose sum is beyond any column fail their own commands and nobody else’s',
    'server/src/ledger/rules.test.ts a posting that cannot be paid does not fail the others in its batch',
    'protocol/codes/input-problems.test.ts takes the largest amount that a person can ask for',
  ],
  'A member reads or ends what belongs to another member': [
    'server/src/modules/session/devices.test.ts signs out one or all others, and never those of somebody else',
    'server/test/statement/notices.test.ts notices are read one by one or all, only by their owner, and pages neither repeat nor miss one',
    'server/test/exchange/exchanges.test.ts is refused with its code, and nothing happens: expired, used, a stranger’s, unpaid, short, paused',
  ],
  'A member repeats a money command, at once or after years': [
    'server/src/db/idempotency/run-idempotent.test.ts of many at the same time one does the work and all get its result',
    'server/src/db/idempotency/run-idempotent.test.ts that is 30 days old is refused, whether it was used or not, and nothing is done',
    'server/test/transfer/transfer-repetitions.test.ts twenty times at once has one effect and one answer; with other terms it is 4090',
  ],
  'The answer of a money command is lost, and it is wanted again': [
    'tests/journeys/outcome/more-lost-answers.long.test.ts of payments: an announced deposit, an order and taking a withdrawal back are done once in every case',
    'tests/journeys/outcome/lost-answers.long.test.ts a leveraged position is opened once in every case',
    'web/src/command/send-command.test.ts keeps its id and what was sent, while prices move, on this page and after a reload',
  ],
  'A member gives up request ids to fill the table': [
    'server/src/db/idempotency/request-outcome.test.ts many on one day are refused, because each leaves a row; those of others and of other days are not',
  ],
  'Many valid envelopes are sent to fill the server’s memory': [
    'server/src/http/gateway/gateway-memory.long.test.ts what is remembered of an envelope does not keep its body alive, nor the header that named its client',
    'server/src/http/gateway/replay-table.test.ts a flood never makes the table grow past its capacity, nor a handshake good twice',
  ],
  'Somebody reserves a plan’s units and never pays': [
    'server/test/payments/free-rows.test.ts what nobody paid and the notices of old devices go 30 days after nothing is waited for, and what comes later is not lost',
    'server/src/modules/power/plans/plan.test.ts unpaid orders of many accounts do not keep an honest buyer from ordering and paying',
    'server/src/modules/power/plans/plan.test.ts fifty orders for the one unit that is left, made and then paid at the same time: it is sold once',
  ],
  'A member exceeds the limits by many calls at once': [
    'server/test/payouts/withdrawals.test.ts the limits count by worth over assets and calls at once, and start anew with the day and the month',
    'server/src/modules/session/devices.test.ts of twenty logins at the same time as many succeed as there is room for',
    'server/src/modules/power/orders/get-order.test.ts twenty orders of one member at the same time, each of another plan, reserve no more than the limit',
  ],
  'Somebody manipulates the price of a pair': [
    'server/test/exchange/desk-limit.test.ts what the desk takes of an asset in an hour is limited by its pair, said before, and what it gives makes room',
    'server/test/exchange/desk-limit.test.ts quotes reserve nothing: many at once exchange no more than the hour has',
    'server/test/exchange/held-push.test.ts a price that was tripled and held for half an hour is not traded at',
  ],
  'A price makes the loans of others be sold, or lends too much': [
    'server/test/lending/liquidation.test.ts one pushed block sells nothing, a stale price decides nothing, and a halted one still does',
    'server/test/lending/attacks/price-attacks.long.test.ts sells nothing of a loan in default, which is sold at its price afterwards',
    'server/test/lending/attacks/price-attacks.long.test.ts is not what collateral at its line is sold for',
    'server/test/lending/attacks/price-attacks.long.test.ts is sold at its line once that price has held, and does not wait until it is in use',
  ],
  "Somebody with several times the pair's capital looks for a gain": [
    'server/simulate/adversary/adversary.long.test.ts does what it says: withdrawals, claims by old proofs, sales at midnight, power, dust',
    'server/simulate/adversary/adversary.long.test.ts gains nothing, and takes nothing of the honest',
    'server/simulate/adversary/adversary.long.test.ts finds within so many seeds: $name',
    'server/simulate/adversary/adversary.long.test.ts does what it says: withdrawals, claims by old proofs, sales at midnight, power, dust',
    'server/simulate/model/contract-model.test.ts a pair is to the unit what the real one is: reserves, what a swap gives, shares, and the sum of prices',
  ],
  'A price that is walked up slowly borrows more than its collateral is worth': [
    'server/test/lending/attacks/ceilings.long.test.ts a price that is walked up for three days without a pause lends no more than what the pledge was worth before',
    'server/test/lending/attacks/ceilings.long.test.ts a fifth of the depth is lent on a collateral, a fifth of that to one member, by projects and leveraged loans together',
    'server/test/lending/attacks/ceilings.long.test.ts of many at once no more is lent than the ceiling',
  ],
  "A member's position is kept open by others until it is liquidated": [
    'server/test/lending/lever.test.ts whoever has used up the hour of the desk keeps no position open: what repays its debt is sold outside of it',
    'server/test/lending/lever.test.ts while the price is paused, who could be liquidated now can close, at the price of the liquidation; others cannot',
    'server/src/chain/price/measure-pair.long.test.ts a provider that leaves the pair for an observed block changes the depth at no time, and what the desk takes in that block only',
  ],
  'A member fills the journal for nothing': [
    'server/test/payments/free-rows.test.ts orders and announcements count into the free commands of a day, also of calls at once; a repetition and what was refused do not',
    'server/test/lending/attacks/free-commands.test.ts commands that cost nothing share one number a day for each member; what ends a debt is never refused for it',
    'server/test/lending/attacks/free-commands.test.ts less than a hundredth of a USDT is repaid only where it ends the debt',
    'server/test/lending/repaying-on-chain.test.ts less than a hundredth of a USDT repays nothing, unless it ends the debt: it is booked in one sum with other dust of its payer',
  ],
  'A borrower pauses the withdrawals of everybody': [
    'server/test/lending/audit-interest.test.ts as many repayments as there are: no number of them makes the audit of a loan disagree',
    'server/test/lending/audit-interest.test.ts a finding says the same on the next day, so that what an operator has accepted does not come again',
    'server/test/lending/audit-interest.test.ts each hour, open loans are compared, and those that ended until they were found to be right two days later',
  ],
  'A member takes what others have in the money fund': [
    'server/src/modules/fund/fund.test.ts property: assets are shares × price to the unit, the price falls by recorded deficits only, and bills add up to what each member gained',
    'server/src/modules/fund/fund.test.ts nobody takes more than they have, and nobody takes money that is lent',
    'server/test/lending/borrowing.test.ts of many at the same time as many get money as the fund and the project have it',
  ],
  'Interest and sales go by when a payment was credited, not by when it was made': [
    'server/test/lending/block-day.test.ts a pay-off of what was named, in a block before midnight, ends the loan though it is credited after the next day was charged',
    'server/test/lending/block-day.test.ts interest that a payment may take back is in no share price: of a loan that one names, and all of it while crediting is halted',
    'server/test/lending/block-day.test.ts nobody enters the fund while days are not charged; who left and who stayed have what is theirs',
  ],
  'Payments that try to disturb: dust, unusual remarks, other people’s orders, wrong assets': [
    'server/test/payments/dust.test.ts a crowd of dust for a member is one line a day; the first three are credited and told one by one',
    'verify/checks/small-payments.test.ts each lie about it is named',
    'server/test/payments/payments.test.ts',
  ],
  'A reorganisation takes a payment back': [
    'server/test/payments/taken-back.test.ts two operators take it back, from its member and the platform as they say, once, and books and chain are equal',
    'server/test/payments/taken-back.test.ts the same payment that comes again after it was taken back is credited again, once',
    'server/src/chain/follow/follow-blocks.test.ts before the depth: reverted, and credited once after it came back in another block',
  ],
  'The RPC node lies now and then, hangs or contradicts itself': [
    'server/src/chain/follow/follow-blocks.test.ts each kind of failure is named, and nothing of the range is written',
    'server/src/chain/follow/follow-blocks.test.ts payments of a long range must be of the blocks that the node itself shows',
    'server/src/chain/follow/follow-blocks.test.ts one look at another chain changes nothing, and the next at the right one goes on',
    'server/src/chain/follow/follow-blocks.test.ts a node that stalls answers, and what it says grows old by the chain’s own time',
    'server/src/chain/follow/follow-blocks.test.ts logs that a node leaves out of a long range are found by each block’s own filter',
    'server/src/chain/client.test.ts the chain of the node is checked with every answer, by one question for each batch',
    'server/src/chain/follow/reconcile-block.test.ts blocks that are not linked are refused',
    'server/test/payouts/nodes/one-lying-node.long.test.ts that the followed node invents is paid out where it is the only one, and nothing of it is credited where there are others',
    'server/test/payouts/nodes/one-lying-node.long.test.ts what was taken from the contract is hidden by the followed node where it is the only one, and pauses withdrawals where there are others',
    'server/test/payouts/nodes/one-lying-node.long.test.ts that the contract is in exit mode, pays nothing or was attested by a stranger is believed of one node where it is the only one',
    'server/test/payouts/payouts.test.ts errors, hang-ups and garbage at every question: paid once when they end',
  ],
  'One operator reads blocks again with a node that makes up payments': [
    'server/test/payouts/rescan.test.ts what one operator’s own node makes up is recorded and never counts',
  ],
  'The payer’s key is stolen': [
    'server/test/payouts/restored-payout.test.ts a payout by a stolen payer key has its own alarm, and ends when two operators explain it, for attestations too',
    'server/test/payouts/restored-payout.test.ts what is explained without having been booked is the platform’s loss, once, whoever was paid',
    'contracts/test/invariant/PaymentGateway.inv.t.sol invariant_PaidIsWithinTheCap',
  ],
  'The attester’s key is stolen': [
    'contracts/test/gateway/attest.t.sol testFuzz_NoFieldKeepsALaterDayOut',
    'contracts/test/owner/roles.t.sol test_RevertWhen_TheAccountHasARole',
    'contracts/test/invariant/Thief.inv.t.sol invariant_TheHonestAttesterCanAlwaysAttest',
  ],
  'The owner’s key is stolen': [
    'contracts/test/invariant/Thief.inv.t.sol invariant_NoKeyTakesMoreThanItsBound',
    'server/test/payouts/contract-watch.test.ts what the owner of the contract announces calls somebody, once for each, until it is taken back, done or over',
    'contracts/test/owner/roles.t.sol test_RevertWhen_TheNoticeIsNotOver',
    'contracts/test/owner/caps.t.sol test_RaisedAfterTheNotice',
  ],
  "The owner signs another transaction than was meant, or a thief's announcement is not seen": [
    'server/test/payouts/owner-acts.long.test.ts a payer is replaced by the standby at once, and another one after its notice; two name it, and one switches',
    'server/test/payouts/owner-acts.long.test.ts caps are lowered at once and raised after their notice; what no command has announced is seen and taken back',
    'server/test/payouts/owner-acts.long.test.ts another token than that of the settings is shown',
  ],
  'The guardian’s key is stolen': [
    'contracts/test/invariant/Thief.inv.t.sol invariant_NoKeyTakesMoreThanItsBound',
    'contracts/test/owner/roles.t.sol test_SetGuardian',
  ],
  'One operator stops attestations by a setting': [
    'server/test/proof/attest-rounds.test.ts no setting of one operator keeps a day from being attested: neither the least gas price nor the latest close',
  ],
  'After an exit a member moves with the service what it has claimed from the contract': [
    'server/test/payouts/contract-watch.test.ts exit mode of the contract is seen and said once, and is over when a reorganisation takes it back',
    'server/src/api/dispatch.test.ts no money command is done, whichever it is, and everything else is answered',
  ],
  "Two of the contract's keys are stolen": [
    'contracts/test/owner/two-keys.t.sol testFuzz_PayerAndOwner',
    'contracts/test/owner/two-keys.t.sol test_PayerAndAttester',
    'contracts/test/owner/two-keys.t.sol test_PayerAndGuardian',
  ],
  'After an exit money stays locked, or goes to the wrong members': [
    'contracts/test/claim/sharing.t.sol test_WhatIsLeftIsSharedAfterAYear',
    'contracts/test/claim/sharing.t.sol testFuzz_SharesAreFair',
    'contracts/test/claim/late.t.sol test_WhoComesAfterTheYearGetsItsShare',
  ],
  'At an exit lent money of the fund falls on everybody': [
    'protocol/proof/owed.test.ts a fund that is lent is owed its loans’ collateral, and nobody else bears that its USDT has left',
    'protocol/proof/owed.test.ts a borrower’s own shares pay its debt before its collateral does, and other shares are worth what they were',
    'server/test/proof/owed-worlds.long.test.ts in 200 random worlds the tree has what each member is owed, and the ledger’s sums',
  ],
  'A recipient’s or a token’s contract attacks the payment': [
    'contracts/test/gateway/pay.t.sol test_ReentrantPayIsRefused',
    'contracts/test/gateway/pay.t.sol test_RevertWhen_RecipientBurnsGas',
    'contracts/test/gateway/pay.t.sol test_ReturnBombIsHarmless',
  ],
  'Somebody takes tokens that others have approved': [
    'contracts/test/gateway/recharge.t.sol testFuzz_OnlyTheCallerPays',
    'contracts/test/invariant/PaymentGateway.inv.t.sol invariant_AllowanceFallsOnlyInItsOwnersCall',
    'contracts/contracts.test.ts the gateway runs no foreign code and no operation younger than istanbul',
  ],
  'A withdrawal is paid twice, or paid and given back': [
    'server/test/payouts/payouts.test.ts eight withdrawals and four workers: each is signed once, two of a member at a time, with nonces in a row',
    'server/test/payouts/payouts-in-trouble.test.ts a recipient that refuses after signing: the money less the fee is back when the used nonce is final, not before',
    'server/test/payouts/payouts-guards.test.ts money is not given back while the contract says that it was paid, though no followed block holds the payment',
  ],
  'A withdrawal is taken back and paid all the same': [
    'server/test/payouts/withdrawals.test.ts one that is being signed at this moment is paid and not taken back; what is over is neither',
    'server/test/payouts/withdrawals.test.ts one that is taken back while its payment is tried is not signed',
    'server/test/payouts/withdrawals.test.ts many taken back and signed at the same time end one way or the other, and the books are right',
    'server/test/payouts/queue/fair-queue.test.ts who lets one wait for a day and takes it back keeps others from half of the cap at most',
  ],
  'Somebody uses up what the contract pays out, with money that goes round or with many withdrawals': [
    'server/test/payouts/queue/fresh-money.long.test.ts money that goes round uses up its share of the cap and no more; money that was there a day goes on',
    'server/test/payouts/queue/fresh-money.long.test.ts old money is taken first, once; a transfer, an exchange of accounts and a return make nothing old',
    'server/test/payouts/queue/fair-queue.test.ts one asset whose cap is used up hides no other asset, however many wait for it',
  ],
  'A recipient makes the payer pay for payments that revert, and others wait': [
    'server/test/payouts/griefing.long.test.ts one that %s: nothing is signed, the money is back',
    'server/test/payouts/griefing.long.test.ts one that returns a bomb, or sends the money back to the contract, is paid once',
    'server/test/payouts/griefing.long.test.ts forty payments that revert: two in flight, two fees kept, the rest in review, and nobody waits for them',
  ],
  'Payouts go on while nobody compares the books with the chain': [
    'server/test/payouts/reconciliation.test.ts payouts need a comparison that is recent and equal: without one nothing is taken and nothing is signed',
  ],
  'The service is killed at any instant': ['server/test/faults/kill-loop.long.test.ts'],
  'A copy of the database is stolen': [
    'server/src/modules/session/devices.test.ts is 256 bits, stored only as a hash, and good for seven days after its last use',
    'server/src/chain/signer.test.ts neither a signer nor a secret shows the key',
  ],
  'Somebody writes into the database': [
    'server/src/ledger/audit/audit-round.test.ts %s',
    'server/test/payouts/ledger-audit.test.ts what the audit of the ledger finds pauses withdrawals until it is mended, though books and chain agree',
    'server/src/ledger/rules.test.ts %s is refused',
  ],
  'The database account of a server is stolen': [
    'server/src/db/grants.test.ts what it makes in a schema that others would look into first is not run by a migration, nor found by anybody',
    'server/src/db/grants.test.ts the servers’ account can neither change the ledger nor what protects it',
    'server/src/ledger/rules.test.ts whoever calls the functions of the ledger by hand makes no value',
  ],
  'One dishonest operator': [
    'server/src/operator/commands/operator-commands.test.ts names are letters and digits, keys are whole: what only looks like another one is refused',
    'server/src/operator/commands/operator-commands.test.ts the third operator is added and removed by two, and neither name nor key comes back',
    'server/src/operator/commands/operator-commands.test.ts an operator alone signs for what one may do, never for what needs two, and is not removed',
  ],
  'An operator’s signature is used again, or for another command or installation': [
    'server/src/operator/signing/execute.test.ts a signature is used once, also by many at once',
    'server/src/operator/signing/execute.test.ts whatever differs from what was signed is refused, and nothing is done',
    'server/src/operator/signing/execute.test.ts a signature for another installation or another contract is worth nothing here',
  ],
  'An operator sets the clock of the command line': [
    'server/src/operator/candela.test.ts finds the running database by its folder, and says in one line what is missing',
    'server/src/operator/signing/verify-audit.test.ts a proposal that is signed %s',
    'server/src/operator/commands/operator-commands.test.ts a proposal ends after three days; two that sign it at once do it once',
  ],
  'Somebody changes what operators have done': [
    'server/src/operator/signing/verify-audit.test.ts finds %s',
    'server/src/operator/signing/verify-audit.test.ts of every command that needs two, finds that one operator alone has signed it',
    'server/src/operator/signing/verify-audit.test.ts finds it of what needs two by what was in the database, and not of what one may do',
  ],
  'More income is paid than came in': [
    'server/test/payments/revenue-command.test.ts revenue for a day that is closed is refused before anything is sent, and taken for the day that is open',
    'server/src/modules/income/close-days.test.ts no income without revenue',
    'server/src/modules/income/close-days.test.ts closing again, and several at once, pay nothing more',
  ],
  'A web page acts for a person who is signed in, or shows us in a frame': [
    'server/src/http/headers/security-headers.test.ts a preflight gets no permission, on no route',
    'server/src/http/headers/security-headers.test.ts %s has every security line, whatever other origins say',
    'tests/rules/security.test.ts everything that a browser keeps is named',
  ],
  'Script in our page (XSS) takes the token': [
    'tests/rules/security.test.ts text is never made HTML, and nothing runs text as code',
    'server/src/http/headers/security-headers.test.ts the page may run its own scripts, ask its own server and the wallets’ RPC, and nothing else',
  ],
  'A wallet or extension in the browser misbehaves': [
    'web/src/wallet/wallet.test.ts several wallets ask which; whoever closes the chooser has refused nothing',
    'web/src/wallet/wallet.test.ts on another chain nothing is sent',
    'web/src/wallet/wallet.test.ts for another account than the connected one nothing is sent',
  ],
  'An answer of the API is changed, so that a wallet pays a stranger or signs a login of elsewhere': [
    'tests/journeys/network/changed-answers.long.test.ts an RPC that was not built in is given to no wallet, and it is said',
    'tests/journeys/network/changed-answers.long.test.ts a login of another site is not signed, and it is said',
    'web/src/session/sign-in/login-message.test.ts the message of this page for this account is signed',
    'web/src/wallet/known-rpcs.test.ts what the service names has to be among those that were built in, and anything will do where none were',
    'web/src/wallet/paying/unusual-payments.test.ts a payment other than the one that is shown, or to another contract, is asked of no wallet',
    'web/src/wallet/paying/contracts.test.ts what the service names has to be what was built in, and anything will do where nothing was',
  ],
  'A service publishes true figures of a contract of its own': [
    'verify/checks/contract.test.ts the contract that was asked for is checked with its own tokens, whatever the service names',
    'verify/checks/contract.test.ts a service or a node of another chain is found, and an address without a contract ends the run',
  ],
  'A proof file names a contract of a stranger': [
    'web/src/proof/known-contract.test.ts the contract that was built in is known, and no other',
    'tests/journeys/exit/exit.long.test.ts a proof of a member with loans is verified and saved; the service ends days later, and the money comes by the old proof and a mirror',
  ],
  'The next person at a device uses the wallet of the one before': [
    'web/src/wallet/remote/remote-wallet.test.ts whoever signs out lets the wallet go, there too: the next tap asks for another one',
    'web/src/wallet/wallet.test.ts whoever signs out leaves nothing of the wallet, and the next one is asked which',
  ],
  'Somebody on the network reads or changes traffic': [
    'deploy/proxy/haproxy.long.test.ts a call without TLS is refused and not redirected, in whatever way its path is written',
    'server/src/main/server.test.ts gives the page a policy without inline scripts but the build’s own, that reaches the wallets’ RPC and nothing else',
  ],
  'Envelopes are changed, replayed, cut or mixed': [
    'server/src/http/gateway/shared-handshakes.test.ts are accepted once by all of them together',
    'server/src/http/gateway/shared-handshakes.test.ts are refused while Redis is gone: busy, counted, and not told as a bad envelope; and accepted again when it is back',
    'server/test/faults/shared-redis.long.test.ts an envelope that one has accepted is refused by the other',
  ],
  'Requests are framed so that proxy and server disagree': [
    'server/src/http/request/framing.test.ts a request %s is refused, and what comes behind it is not read as another one',
  ],
  'A flood of calls, logins, wrong tokens or slow connections': [
    'deploy/proxy/haproxy.long.test.ts connections are counted by the /64 of an IPv6 address, and by an IPv4 address as it is',
    'server/src/api/shared-limits.test.ts are those of all servers together, and each client has its own',
    'server/src/api/shared-limits.test.ts are those of each server when Redis is killed, are counted, and are shared again when it is back',
  ],
  'Malformed or hostile input': ['server/test/api/api-contract.test.ts'],
  'A dependency becomes malicious': [
    'tests/rules/dependencies.test.ts come from the registry, each with the hash of what was looked at',
    'tests/rules/dependencies.test.ts are asked for in exact versions',
    'tests/rules/security.test.ts every package that would run something when it is installed is named, and denied in package.json',
  ],
  'A link to a file is found, guessed or used twice': [
    'server/src/modules/file/file-links.test.ts',
    'server/test/api/log-secrets.long.test.ts',
    'tests/journeys/money/statement.long.test.ts a statement of several kinds: on the screen, filtered, opened, and the same as a file',
  ],
  'Requests whose answers nobody reads': [
    'server/src/http/limits/slow-clients.long.test.ts a connection with more than a few requests that are not answered is closed; as many as are allowed hold little',
  ],
  'A text becomes a script of the page': [
    'web/src/navigation/first-paint.test.ts the policy of the page makes no script of a text, and loads scripts of its own origin alone',
    'server/src/http/headers/security-headers.test.ts the page may run its own scripts, ask its own server and the wallets’ RPC, and nothing else',
    'tests/rules/security.test.ts',
  ],
  'The one-file way out asks the wrong wallet, or a file blocks it': [
    'web/src/exit-page/standalone-port.test.ts',
    'web/src/proof/proof-by-tree.test.ts a large file is read a piece at a time, and one that is no tree is given up before all of it was read',
    'web/src/proof/exit/exit-error.test.ts times that no calendar has are of no contract of ours',
  ],
  'Secrets reach a log, an error or a screen': [
    'server/src/kernel/kernel.test.ts the log replaces secrets wherever they are named',
    'server/src/api/dispatch.test.ts that fails is 500 without the reason; the reference in it finds the log line with the reason',
    'server/src/chain/client.test.ts a node that does not answer in time is told apart, and its URL is never shown',
  ],
}
