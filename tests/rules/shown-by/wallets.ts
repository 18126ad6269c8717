/** The test of each row of docs/reference/wallets.md, by its first cell: a file, then the title of the test. */
export const wallets: Readonly<Record<string, readonly string[]>> = {
  'change the chain without `chainChanged`': [
    'tests/journeys/wallet/wallets.long.test.ts a wallet that changes its chain without a word, whose chain is a %s: the dialog asks it and closes by itself',
  ],
  'change the account without `accountsChanged`': [
    'web/src/wallet/injected/unusual-wallets.test.ts a wallet that tells of nothing is asked',
  ],
  'answer `eth_chainId` with a number or in upper case': [
    'web/src/wallet/injected/unusual-wallets.test.ts a chain id that is a number, or in upper case',
  ],
  'answer 4902, or another code, for an unknown chain': [
    'web/src/wallet/wallet.test.ts adds a network that the wallet does not know, then is on it',
  ],
  'answer -32002 while an earlier request waits': [
    'tests/journeys/wallet/wallets.long.test.ts a request that waits in the wallet is named, and so is who refused what',
  ],
  'answer 4100 while locked, or for an account not opened': [
    'tests/journeys/wallet/wallets.long.test.ts a lock keeps the session and says so; what needs the wallet then asks for it or says what is in the way',
  ],
  'throw a text instead of an error': [
    'web/src/wallet/to-wallet-error.test.ts what a wallet answers, in the forms that wallets have',
  ],
  'put the code of a refusal into a cause, or into `data`': [
    'web/src/wallet/to-wallet-error.test.ts what a wallet answers, in the forms that wallets have',
  ],
  'give addresses without a checksum': [
    'tests/journeys/wallet/wallets.long.test.ts a reload opens no window, and a window that nobody answers can be left',
  ],
  'change an allowance only from zero or to zero': [
    'web/src/wallet/paying/odd-tokens.test.ts an allowance that changes only from zero is taken back first, in one tap',
  ],
  'refuse an allowance of zero, or everything while paused': [
    'web/src/wallet/paying/odd-tokens.test.ts an allowance %s: the wallet is not asked, and it is said',
  ],
  'return nothing': ['web/src/wallet/paying/odd-tokens.test.ts is approved and paid with'],
  'keep a fee, have a block list, are paused or upgraded to these': [
    'web/src/wallet/paying/odd-tokens.test.ts a payment with a token %s moves nothing, and the person is told that it failed',
  ],
  'stay silent on `eth_accounts` or `eth_chainId`': [
    'web/src/wallet/injected/unusual-wallets.test.ts a wallet that does not answer is given up in time, and asked again at the next tap',
  ],
  'never answer a window that was closed': [
    'tests/journeys/wallet/wallets.long.test.ts a reload opens no window, and a window that nobody answers can be left',
  ],
  'leave the window of a signature in the background': [
    'web/src/session/sign-in/sign-in.test.ts is said to be slow, and its answer counts when it comes',
  ],
  'ask again after a reload': [
    'web/src/session/sign-in/sign-in.test.ts no window of the wallet is opened: a registered address signs at the next tap',
  ],
  'replace a transaction, sped up': [
    'tests/journeys/money/deposit.long.test.ts a payment that was sped up in the wallet is followed to its replacement',
  ],
  'replace a transaction by nothing': [
    'tests/journeys/money/deposit.long.test.ts one that was cancelled there is said to be, and can be paid anew',
  ],
  'name another transaction than the one that pays': [
    'tests/journeys/wallet/wallets.long.test.ts a wallet that names another transaction: "payment sent" ends when the order is seen',
  ],
  'have too little for the network fee': [
    'web/src/payment/wallet-problem.test.ts what is said when a wallet has not done what was wanted',
  ],
  'freeze their provider': [
    'web/src/wallet/injected/unusual-wallets.test.ts a provider that %s signs in, pays, and is asked again after a reload',
  ],
  'have `on`, `removeListener` or `request` that can only be read': [
    'web/src/wallet/injected/unusual-wallets.test.ts a provider that %s signs in, pays, and is asked again after a reload',
  ],
  'have no events, or events that throw': [
    'web/src/wallet/injected/unusual-wallets.test.ts a provider that %s signs in, pays, and is asked again after a reload',
  ],
  'have no `wallet_requestPermissions`': [
    'web/src/wallet/injected/unusual-wallets.test.ts a wallet without a call for permissions, and one that writes into what it is asked',
  ],
  'never answer `wallet_requestPermissions`': [
    'web/src/wallet/injected/unusual-wallets.test.ts a wallet that does not answer is given up in time, and asked again at the next tap',
  ],
  'answer no account': [
    'web/src/wallet/injected/unusual-wallets.test.ts a wallet that opens no account is told from one that refuses',
  ],
  'share a reverse domain name': [
    'web/src/wallet/injected/unusual-wallets.test.ts of two wallets under one domain name each is asked for itself, also after a reload in another order',
  ],
  'sign without `0x`': ['web/src/wallet/injected/unusual-wallets.test.ts a signature without 0x'],
  'switch the network a moment after they said so': [
    'web/src/wallet/injected/unusual-wallets.test.ts a switch that takes effect a moment after it was confirmed',
  ],
  'send `accountsChanged` with nothing when they lock': [
    'tests/journeys/wallet/wallets.long.test.ts a lock keeps the session and says so; what needs the wallet then asks for it or says what is in the way',
  ],
  'appear late': [
    'tests/journeys/wallet/wallets.long.test.ts an extension that appears late ends what was said of its absence',
  ],
  'inject only `window.ethereum`': [
    'tests/journeys/account/enter.test.ts the wallet of an in-app browser, which only injects itself',
  ],
  'come in twos': [
    'web/src/wallet/injected/unusual-wallets.test.ts of two wallets only the chosen one counts, also when the other is permitted and changes',
  ],
  'share one `window.ethereum`, with a list of them in it': [
    'web/src/wallet/injected/unusual-wallets.test.ts of wallets that share one window.ethereum each is listed by its mark, and only the chosen one is asked, also after a reload',
  ],
  'have the button of a phone, which goes back': [
    'tests/journeys/screens/touch.long.test.ts the back button of a phone closes a sheet, and the screen stays as it was',
  ],
  'are only on the phone': [
    'web/src/shell/wallet/wallet-links.test.ts each wallet gets the page in the form that its maker documents',
  ],
  'answer with whole objects of JSON-RPC': [
    'web/src/wallet/injected/reported-wallets.test.ts answers come as whole objects of JSON-RPC',
  ],
  'change the network and never answer': [
    'web/src/wallet/injected/reported-wallets.test.ts a switch changes the network and is never answered',
  ],
  'say that they have changed it, and have not': [
    'web/src/wallet/injected/reported-wallets.test.ts a switch is said to be done, and the network stays as it was',
  ],
  'take no network that does not say that it has no explorer': [
    'web/src/wallet/injected/reported-wallets.test.ts a network without an explorer has to be said to have none',
  ],
  'add the network, and then say that they failed': [
    'web/src/wallet/injected/reported-wallets.test.ts a network is added, and then it is said that this failed',
  ],
  'refuse an RPC without TLS, or what is not on their list': [
    'web/src/wallet/injected/reported-wallets.test.ts a wallet that refuses to add a network, because of %s: its own reason is there',
  ],
  'are told no to the added network': [
    'web/src/wallet/injected/reported-wallets.test.ts a no to a network that was asked for asks for nothing else',
  ],
  'refuse typed data, for the chain or for the method': [
    'web/src/wallet/injected/reported-wallets.test.ts typed data are refused with %s: in its own words, once',
  ],
  'say "rejected" after they have sent': [
    'web/src/wallet/injected/reported-wallets.test.ts a wallet that has sent says that it was refused',
  ],
  'answer neither a result nor an error': [
    'web/src/wallet/injected/reported-wallets.test.ts an answer without a result or an error is no account',
  ],
  'sign with a recovery id of 0 or 1': [
    'server/src/chain/signature/recover-signer.test.ts whoever signed is named, with the recovery id of any wallet',
  ],
  'tell of an account without a list, or not at all': [
    'web/src/wallet/injected/reported-events.test.ts another account is told of with %s instead of a list: the wallet is asked',
  ],
  'tell of a lock with an empty text': [
    'web/src/wallet/injected/reported-events.test.ts a lock is told of with an empty text instead of a list',
  ],
  'tell of a network with an object, or with "loading"': [
    'web/src/wallet/injected/reported-events.test.ts another network is told of with %s: the wallet is asked',
  ],
  'name another network as they connect': [
    'web/src/wallet/injected/reported-events.test.ts a wallet that names another network as it connects: what it answers counts',
  ],
  'have no account for a moment after a reload': [
    'web/src/wallet/injected/reported-events.test.ts a wallet that has no account for a moment after a reload has it again when it says so',
  ],
  'tell of their account after they were let go of': [
    'web/src/wallet/injected/reported-events.test.ts a wallet that was let go of and tells of its account all the same is not taken up again',
  ],
  'have an allowance approved and never answer': ['web/src/wallet/paying/approval.test.ts %s: it is enough'],
  'give the code of a refusal as a text': [
    'web/src/wallet/to-wallet-error.test.ts what a wallet answers, in the forms that wallets have',
  ],
  'have no storage for pages': [
    'web/src/lib/storage.test.ts a storage that %s: what is kept is kept as long as the page',
  ],
  'save no downloads': [
    'tests/journeys/money/statement.long.test.ts a statement of several kinds: on the screen, filtered, opened, and the same as a file',
  ],
  'refuse the clipboard to scripts': [
    'tests/journeys/money/statement.long.test.ts a statement of several kinds: on the screen, filtered, opened, and the same as a file',
  ],
  'refuse to share, or have no list of apps': [
    'tests/journeys/money/statement.long.test.ts a statement of several kinds: on the screen, filtered, opened, and the same as a file',
  ],
  'open no files, or pictures only': [
    'tests/journeys/exit/exit.long.test.ts a proof of a member with loans is verified and saved; the service ends days later, and the money comes by the old proof and a mirror',
  ],
  'are on the phone that the page is on': [
    'tests/journeys/wallet/remote.long.test.ts a phone goes over to its wallet app, signs in, pays, and is still connected after a reload',
  ],
  'cannot be reached without a WebSocket': [
    'tests/journeys/wallet/remote.long.test.ts where the network lets no WebSocket through, it is said that such a wallet cannot be reached; later it can',
  ],
  'are on a phone, and the page on a computer': [
    'tests/journeys/wallet/remote.long.test.ts a computer shows the code as a picture; a no in the wallet, and a code that was closed, say what is so',
  ],
  'do not know the chain': [
    'web/src/wallet/remote/remote-wallet.test.ts a wallet that does not know our chain is given it, and pays on no other',
  ],
  'answer no questions about the chain': [
    'web/src/wallet/remote/remote-wallet.test.ts a wallet on a phone connects by its code, signs, and pays on our chain',
  ],
  'change the account, or end the connection': [
    'web/src/wallet/remote/remote-wallet.test.ts another account and the end of a connection are noticed',
  ],
  'end a session as the page does': [
    'web/src/wallet/remote/remote-wallet.test.ts a session that both sides end at once leaves nothing waiting, and no error that nobody has handled',
  ],
  'agree after the code was closed': [
    'web/src/wallet/remote/remote-wallet.test.ts who closes the code has refused nothing, and a wallet that scanned it all the same is let go',
  ],
  'are older than the oldest': [
    'tests/journeys/engines/engines.long.test.ts a browser older than the oldest is told so, with its version, what to update, and the link to take elsewhere',
  ],
  'lack `toSorted`, `Object.hasOwn` and five others': [
    'web/src/navigation/first-paint.test.ts a browser without %s gets what older ones lack before the app',
  ],
  'run into an error that nothing handles, later': [
    'web/src/shell/tell-uncaught.test.ts an error of the app that nothing has handled is told, and no more for half a minute',
  ],
  'have a wrong clock': [
    'tests/journeys/network/wrong-clock.long.test.ts a clock that is ${name}: it is said, and one buys, pays an order later, and transfers',
  ],
  'have no `crypto.subtle`, on a page without TLS': [
    'client/transport.test.ts a page that came without TLS is told so, before anything is sent',
  ],
  'translate the page': [
    'web/src/navigation/first-paint.test.ts the page is not to be translated, because texts that are replaced no longer change',
  ],
  'lay a keyboard over the page, or make it smaller by it': [
    'tests/journeys/screens/keyboard.long.test.ts a keyboard over the page, or one that makes it smaller: the field that is typed into and the button of its sheet stay in view',
  ],
  'are in another time zone, or count hours to twelve': [
    'tests/journeys/screens/time-zones.long.test.ts a device in ${timeZone} with the language ${locale}: buys in time, reads times of its own and days of the books',
  ],
  'take a finger away, or have two on the page': [
    'tests/journeys/screens/touch.long.test.ts no pull: a finger that the system takes, a second finger, a page that is scrolled, and a sheet on top',
  ],
  'drop downloads without a word': [
    'tests/journeys/money/statement.long.test.ts a statement of several kinds: on the screen, filtered, opened, and the same as a file',
  ],
  "keep a payment's window after the person left it": [
    'tests/journeys/wallet/wallets.long.test.ts a payment left in the wallet can be paid again; paid twice, the second is on the balance',
  ],
  "fail in the app's own file": [
    'web/src/navigation/first-paint.test.ts an app that comes and fails is said to be broken, with a line for support, and is not asked for again',
  ],
}

/** Tests of the table "Wallet behaviour by step" there. */
export const walletSteps: Readonly<Record<string, readonly string[]>> = {
  'errors after a payment was asked for': [
    'web/src/wallet/paying/unusual-payments.test.ts an error after a payment was asked for, %s: as it says, and "unknown" once anything was sent',
  ],
  'one method, once, with the chain': [
    'web/src/wallet/paying/unusual-payments.test.ts a payment is asked for by one method, once, and names the chain',
  ],
  'the network is changed in the window': [
    'web/src/wallet/paying/unusual-payments.test.ts a wallet whose network is changed in its window is noticed',
  ],
  'no hash': [
    'web/src/wallet/paying/unusual-payments.test.ts a wallet that answers no hash leaves open whether it was paid',
  ],
  'a receipt whose status is a number': [
    'web/src/wallet/paying/unusual-payments.test.ts a receipt whose status is the number %i',
  ],
  lowered: [
    'web/src/wallet/paying/approval.test.ts lowered in the wallet: it is not enough, and the payment is not sent',
  ],
  'raised, no hash, a false hash, approved by another, approved and then an error': [
    'web/src/wallet/paying/approval.test.ts %s: it is enough',
  ],
  'an error that has approved nothing': [
    'web/src/wallet/paying/approval.test.ts an error that has approved nothing leaves it open, in the words of the wallet',
  ],
  'an allowance that is taken back': [
    'web/src/wallet/paying/approval.test.ts taking an allowance back: it is not back while anything is left',
  ],
  'sent, then an error, on the page': [
    'tests/journeys/wallet/wallets.long.test.ts a wallet that sends and then says that it failed: nothing is called a failure, and the deposit is credited by itself',
  ],
  'reloaded while the wallet asks': [
    'tests/journeys/wallet/wallets.long.test.ts a page that is reloaded while the wallet asks: the deposit is asked about before it is paid again, and ends by itself',
  ],
  'paid already, or perhaps': [
    'web/src/payment/once/paid-already.test.ts what the service knows to be paid is not paid again',
  ],
  'two taps in one moment': [
    'web/src/payment/once/only-one.test.ts two taps in one moment are one; another one, and one after the first has ended, are their own',
  ],
  'a changed request': [
    'web/src/wallet/paying/unusual-payments.test.ts a payment other than the one that is shown, or to another contract, is asked of no wallet',
  ],
  'signing out': [
    'web/src/wallet/remote/remote-wallet.test.ts whoever signs out lets the wallet go, there too: the next tap asks for another one',
  ],
}
