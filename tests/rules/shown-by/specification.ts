/** The tests of each requirement of docs/reference/specification.md, by its number. A file, then the title of the test; without a title the whole file. */
export const requirements: Readonly<Record<string, readonly string[]>> = {
  '1.1': [
    'tests/journeys/account/enter.test.ts every path but home leads a visitor home',
    'web/src/navigation/guard.test.ts without a token %s leads home',
  ],
  '1.2': [
    'tests/journeys/account/enter.test.ts a visitor is invited, connects, signs and is in; a reload keeps it so',
    'web/src/session/sign-in/sign-in.test.ts a registered address signs the login message and gets its session stored',
  ],
  '1.3': [
    'web/src/session/sign-in/sign-in.test.ts a new address is asked for an invitation code before anything is signed',
    'server/src/modules/session/session.test.ts without a code is 4002, with an unknown or closed one 4003, and then succeeds with the same signature',
  ],
  '1.4': [
    'tests/journeys/power/buy-power.test.ts invited, signed in, paid, confirmed, active: the power shows in the order and at home',
    'tests/journeys/power/buy-power.test.ts with USDT and exactly its approval; home shows the power as soon as the order is active',
  ],
  '1.5': [
    'tests/journeys/power/ranking.long.test.ts two levels of friends buy: both lists show everybody’s place and what it is made of',
  ],
  '1.6': [
    'tests/journeys/money/transfer.long.test.ts from one wallet to another by UID: signed, both see it, and the books agree',
    'tests/journeys/money/exchange.long.test.ts at a quote: what is shown is what happens, to the last unit; after a lost answer it is looked for and done once',
    'tests/journeys/money/withdraw.long.test.ts USDT paid in and withdrawn: every step is shown, and the wallet holds on chain what was promised',
  ],
  '1.7': [
    'tests/journeys/power/income.long.test.ts revenue posted and a day closed by the operator: the income card agrees to the last unit',
  ],
  '1.8': [
    'tests/journeys/lending/leverage.long.test.ts three times leveraged, through a fall of the price: margin call, half of it liquidated, report, more margin, half of the rest closed',
    'tests/journeys/lending/borrow.long.test.ts borrows on a project, pays one of three installments from the balance and one on chain, then the rest on chain with a day’s interest more, and has her collateral and that day back',
    'tests/journeys/money/fund.long.test.ts into the fund and out of it: whole USDT only, in the words of the specification; then everything, to the last unit',
  ],
  '1.9': [
    'tests/journeys/account/enter.test.ts a chosen language is shown at once and after a reload',
    'web/src/i18n/catalogs.test.ts has every key and no other',
  ],
  '2.1': ['web/src/navigation/router.test.ts "/" becomes /index in the address bar'],
  '2.2': [
    'tests/journeys/account/enter.test.ts every screen keeps what was typed, has its theme, and begins at the top',
    'tests/journeys/power/buy-power.test.ts with USDT and exactly its approval; home shows the power as soon as the order is active',
  ],
  '2.3': ['web/src/navigation/guard.test.ts a route with `auth` refuses where the check fails; today no route has it'],
  '2.4': [
    'web/src/navigation/kept-screens.test.ts every route says that it is kept, and every one is',
    'tests/journeys/account/enter.test.ts every screen keeps what was typed, has its theme, and begins at the top',
    'web/src/api/use-read.test.ts what a hidden screen shows is there when it is shown again, however late',
  ],
  '2.5': [
    'tests/journeys/account/enter.test.ts every screen keeps what was typed, has its theme, and begins at the top',
    'web/src/navigation/guard.test.ts with a token %s is open',
  ],
  '2.6': [
    'web/src/navigation/guard.test.ts without a token %s leads home',
    'web/src/navigation/guard.test.ts an error inside the check is ignored and the navigation proceeds',
  ],
  '2.7': [
    'tests/journeys/account/enter.test.ts every screen keeps what was typed, has its theme, and begins at the top',
  ],
  '2.8': [
    'tests/journeys/account/enter.test.ts a chosen language is shown at once and after a reload',
    'web/src/i18n/language.test.ts the first texts come alone, others when they are asked for, and a change of language brings all of them',
  ],
  '2.9': [
    'tests/journeys/account/enter.test.ts a visitor is invited, connects, signs and is in; a reload keeps it so',
    'web/src/lib/format.test.ts addresses keep six and four characters',
  ],
  '2.10': [
    'web/src/navigation/first-paint.test.ts before the first paint the theme is that of the screen: token %s',
    'tests/journeys/account/enter.test.ts an inner screen that is loaded again is never painted in the theme of home',
  ],
  '2.11': ['web/src/session/session.test.ts %s empties everything and leads home'],
  '2.12': [
    'tests/journeys/account/enter.test.ts on a wrong chain the dialog stays until the wallet is on the right one',
  ],
  '2.13': [
    'tests/journeys/account/enter.test.ts an invitation code of no form, or of nobody, is refused in place and can be corrected',
    'tests/journeys/account/enter.test.ts an invitation is kept until somebody has signed in with it',
  ],
  '2.14': [
    'server/test/lending/overview.test.ts the home screen adds up what a member has, owes and could borrow',
    'protocol/lending/assets.test.ts are balances, shares of the fund and collateral less debts',
    'server/src/modules/member/level.test.ts each level begins at its amount of power and not before',
  ],
  '2.15': [
    'server/test/lending/overview.test.ts the home screen adds up what a member has, owes and could borrow',
    'protocol/lending/lines.test.ts 500 USDT against 1,000 JU at 1 USDT are 50 %: warning at 0.714285…, liquidation at 0.625',
  ],
  '2.16': [
    'protocol/lending/lever/leverage.test.ts 100 USDT three times at 18 %: 200 borrowed, 300 spent, all figures',
    'protocol/lending/lever/leverage.test.ts 2 times and less is low risk, more than 3 times is high',
    'tests/journeys/lending/leverage.long.test.ts three times leveraged, through a fall of the price: margin call, half of it liquidated, report, more margin, half of the rest closed',
  ],
  '2.17': [
    'tests/journeys/lending/borrow.long.test.ts borrows on a project, pays one of three installments from the balance and one on chain, then the rest on chain with a day’s interest more, and has her collateral and that day back',
  ],
  '2.18': [
    'tests/journeys/money/fund.long.test.ts into the fund and out of it: whole USDT only, in the words of the specification; then everything, to the last unit',
    'server/src/modules/fund/fund.test.ts bills come in pages without a gap or a repetition',
  ],
  '2.19': [
    'server/src/operator/commands/project-commands.test.ts two operators open a project, members see it, and one operator closes it',
  ],
  '2.20': [
    'server/test/lending/borrowing.test.ts is listed line by line, each part summing to what is owed and to the collateral',
    'web/src/screens/repayments/merge-entries.test.ts what goes to fund and reserve at once is one entry, with the balance after it',
  ],
  '3.1': [
    'web/src/session/session.test.ts keeps address and token, and nothing else',
    'tests/journeys/account/enter.test.ts a chosen language is shown at once and after a reload',
  ],
  '3.2': [
    'server/src/main/config.test.ts of development: this machine, plain routes beside the gateway',
    'server/src/main/config.test.ts of production, where nothing else is set: the chain’s own public RPC and explorer',
    'web/src/wallet/wallet.test.ts adds a network that the wallet does not know, then is on it',
  ],
  '3.3': [
    'contracts/test/StablecoinToken.t.sol testFuzz_Transfers',
    'contracts/test/StablecoinToken.t.sol testFuzz_Burn',
    'contracts/test/StablecoinToken.t.sol testFuzz_FreezeAndUnfreeze',
  ],
  '3.4': [
    'contracts/test/gateway/recharge.t.sol testFuzz_NativeIsReceived',
    'contracts/test/gateway/recharge.t.sol testFuzz_TokenIsReceived',
  ],
  '3.5': [
    'contracts/test/owner/settings.t.sol test_OwnershipMovesAfterTheNotice',
    'contracts/test/owner/settings.t.sol test_SetSubcoin',
    'contracts/test/owner/settings.t.sol testFuzz_RevertWhen_CallerIsNotOwner',
  ],
  '3.6': [
    'contracts/test/owner/settings.t.sol test_DeployedAsTold',
    'contracts/test/owner/settings.t.sol test_PairOfTheRealFactory',
    'server/src/chain/check-contracts.test.ts settings that the contracts confirm have no difference',
    'server/src/main/server.test.ts are named, and nothing of them is written down',
  ],
  '3.7': ['contracts/test/gateway/recharge.t.sol test_EachKeyTakesNative', 'server/simulate/simulate.long.test.ts'],
  '3.8': [
    'server/src/modules/session/session.test.ts makes the account with a UID, a code of its own and whoever invited it',
    'server/test/api/api-contract.test.ts answers good input as the table says',
  ],
  '3.9': [
    'client/envelope.test.ts makes what the gateway takes',
    'server/src/http/gateway/gateway.test.ts made by openssl opens here',
  ],
  '4.1': [
    'tests/journeys/account/enter.test.ts without a wallet a toast says what to install, and the screen stays usable',
    'web/src/wallet/wallet.test.ts one announced wallet connects without a chooser, and looking loads nothing',
  ],
  '4.2': ['web/src/wallet/wallet.test.ts account and chain changes are forwarded, the chain as a number'],
  '4.3': [
    'web/src/session/sign-in/sign-in.test.ts a wrong chain opens the network dialog and stops; once it is right, the sign-in goes on',
    'web/src/session/sign-in/sign-in.test.ts a new address is asked for an invitation code before anything is signed',
    'web/src/session/sign-in/sign-in.test.ts a registered address signs the login message and gets its session stored',
  ],
  '4.4': ['web/src/session/sign-in/sign-in.test.ts logs in with it; an empty one does nothing'],
  '4.5': [
    'tests/journeys/account/enter.test.ts an account changed in the wallet ends the session and reloads after a moment',
  ],
  '4.6': [
    'tests/journeys/account/enter.test.ts on a wrong chain the dialog stays until the wallet is on the right one',
  ],
  '4.7': [
    'tests/journeys/power/buy-power.test.ts invited, signed in, paid, confirmed, active: the power shows in the order and at home',
    'tests/journeys/power/buy-power.test.ts refused, then reverted, then paid: each failure is said and the order stays payable',
  ],
  '4.8': ['web/src/session/session.test.ts %s empties everything and leads home'],
  '4.9': [
    'server/test/lending/repaying.test.ts everything ends the loan, returns the collateral and gives the interest to fund and reserve',
    'server/test/lending/repaying.test.ts the schedule that was shown is what is then due, and paying it on its days ends the loan',
  ],
  '4.10': [
    'server/src/modules/fund/list-bills.test.ts bills of all, of a week, a month, three months, half a year and a year',
  ],
  '4.11': [
    'server/src/modules/fund/fund.test.ts the first share costs one USDT, and what was moved in can be moved out to the last unit',
  ],
  '5.1': [
    'web/src/wallet/wallet.test.ts without any wallet',
    'web/src/session/sign-in/sign-in.test.ts a missing wallet is told',
  ],
  '5.2': ['web/src/wallet/wallet.test.ts on another chain nothing is sent'],
  '5.3': [
    'web/src/ui/amount/read-amount.test.ts either the exact amount or a refusal; never another amount',
    'server/src/chain/check-contracts.test.ts decimals of %s that are not 18',
  ],
  '5.4': [
    'web/src/session/sign-in/sign-in.test.ts logs in with it; an empty one does nothing',
    'tests/journeys/account/enter.test.ts an invitation code of no form, or of nobody, is refused in place and can be corrected',
  ],
  '5.5': [
    'web/src/ui/amount/read-amount.test.ts whole units only, still counted in base units',
    'tests/journeys/money/fund.long.test.ts into the fund and out of it: whole USDT only, in the words of the specification; then everything, to the last unit',
  ],
  '6.1': [
    'server/test/api/api-contract.test.ts needs a session exactly when the table says so',
    'web/src/navigation/guard.test.ts with a token %s is open',
  ],
  '6.2': [
    'web/src/api/call.test.ts sends texts, the token and the language in capitals, and answers with the data',
    'server/src/http/app.test.ts takes the token bare or as a bearer, and nothing that cannot be one',
  ],
  '7.1': [
    'web/src/api/settings/settings.test.ts the base URL comes from the environment, with or without a slash at its end',
    'server/src/http/headers/security-headers.test.ts where the app calls another origin, the page may ask it and the page’s origin alone may read',
    'tests/journeys/network/two-origins.long.test.ts a person signs in and reloads, and every call goes to the other origin',
  ],
  '7.2': [
    'client/transport.test.ts a read has its fields in the query, a command in a form',
    'client/transport.test.ts ends after 50 seconds, and says that it was the time',
    'client/transport.test.ts does not happen by default',
    'client/transport.test.ts happens as often as the setting says, after the delay that it says',
  ],
  '7.3': ['web/src/api/call.test.ts sends texts, the token and the language in capitals, and answers with the data'],
  '7.4': [
    'web/src/api/environments.test.ts of production: the gateway below the base URL, nothing readable, and no line',
    'web/src/api/environments.test.ts of development: plain routes below the base URL, and a line a request without secrets',
    'client/envelope.test.ts gives the known answer of Node’s own cipher and MAC',
    'client/envelope.test.ts are 16 characters of the alphabet, and no byte favours its first letters',
  ],
  '7.5': [
    'client/envelope.test.ts reads what Node sealed',
    'client/transport.test.ts everything travels to the one path, and the answer is opened',
  ],
  '7.6': [
    'server/test/api/api-contract.test.ts answers good input as the table says',
    'tests/rules/specification.test.ts each path of the description is in the endpoint table, with its method',
  ],
  '7.7': ['web/src/wallet/wallet.test.ts signs as the connected account, connecting first where needed'],
  '7.8': ['web/src/wallet/wallet.test.ts token reads go through the wallet and open no window'],
  '7.9': [
    'tests/journeys/money/deposit.long.test.ts USDT with exactly its approval, then with the maximum; the approval taken back; and out to the wallet again',
  ],
  '7.10': [
    'tests/journeys/money/deposit.long.test.ts JU by a plain transfer to the contract, with its gas limit, until it is credited',
    'contracts/test/gateway/receive.t.sol testFuzz_PlainTransferIsReceived',
  ],
  '7.11': [
    'server/src/modules/power/orders/get-order.test.ts reserves units and says exactly what to pay, as the endpoint table has it',
    'web/src/wallet/wallet.test.ts sends exactly what the server prepared and reports the receipt',
  ],
  '8.1': [
    'tests/journeys/account/enter.test.ts without a wallet a toast says what to install, and the screen stays usable',
    'tests/journeys/power/buy-power.test.ts refused, then reverted, then paid: each failure is said and the order stays payable',
    'tests/journeys/account/enter.test.ts on a wrong chain the dialog stays until the wallet is on the right one',
  ],
  '8.2': [
    'web/src/api/call.test.ts a code other than 200 is shown and rejected',
    'web/src/api/call.test.ts every code of the table has words of its own in every language',
  ],
  '8.3': [
    'web/src/api/call.test.ts 4001 says that too many devices are signed in',
    'server/src/modules/session/devices.test.ts the fourth is 4001; with replace it signs the other three out, by the same signature',
  ],
  '8.4': [
    'web/src/api/call.test.ts what is thrown while an answer is being handled is said in words; the console has the error',
  ],
  '8.5': ['client/transport.test.ts statuses 200 to 300 and 304 are success'],
  '8.6': [
    'web/src/api/call.test.ts says in the language of the person that no answer came',
    'web/src/api/call.test.ts the same command is not sent a second time while it is under way; afterwards it is',
    'tests/journeys/network/calls.long.test.ts whatever breaks under a command is said in the language chosen, and a retry works',
  ],
  '9.1': ['tests/rules/specification.test.ts the constants of the description are those of the code'],
  '9.2': [
    'web/src/lib/format.test.ts addresses keep six and four characters',
    'web/src/api/call.test.ts sends texts, the token and the language in capitals, and answers with the data',
    'tests/journeys/account/enter.test.ts an account changed in the wallet ends the session and reloads after a moment',
  ],
  '9.3': [
    'tests/rules/specification.test.ts the constants of the description are those of the code',
    'tests/journeys/account/enter.test.ts a chosen language is shown at once and after a reload',
  ],
  '9.4': [
    'server/test/lending/daily.test.ts a borrower is reminded seven days before, told once when it is late, and charged after the grace',
    'server/test/lending/repaying.test.ts a late payment costs charges after the days of grace, from the due date on',
    'protocol/lending/repayment.test.ts the handling fee of an installment is paid once, and only spared by ending the loan before its day',
  ],
  '9.5': [
    'web/src/ui/picture/picture-loader.test.ts the figures are those of the specification',
    'web/src/ui/picture/picture-loader.test.ts a picture is asked for when its place is within 1.3 screens, and not before',
    'web/src/ui/picture/picture-loader.test.ts three attempts, then the place stays without it',
    'web/src/ui/picture/picture-loader.test.ts 200 pictures are remembered, the last ones used; one that was forgotten waits again',
    'tests/journeys/operator/what-members-see.long.test.ts pictures of a project and of a plan are shown from an origin that is allowed, and only from there',
  ],
  '9.6': [
    'tests/journeys/screens/touch.long.test.ts pulling a list down opens a head of 50 pixels until it is read again',
  ],
  '9.7': [
    'web/src/ui/overlay/popover-place.test.ts eight pixels below its anchor, at the same left edge',
    'tests/journeys/account/enter.test.ts every screen keeps what was typed, has its theme, and begins at the top',
  ],
  '9.8': [
    'web/src/api/settings/settings.test.ts production seals its requests and logs none',
    'web/src/api/settings/settings.test.ts %s sends them in the clear and logs them',
  ],
}
