import { endpoints } from '@candela/protocol/endpoints'
import { envelopeForm } from '@candela/protocol/envelope/envelope-schema'
import type { Described, Texts } from './described.ts'

const deposit: Texts = {
  depositNo: 'The number of the announcement; null for money that came without one.',
  asset: 'The asset.',
  amount: 'The amount paid in, or announced and not paid yet, in whole units of the asset, exact.',
  state:
    'announced: nothing was seen on chain. confirming: in a block, not credited. credited: on the balance. lapsed: nothing came within a day; a later payment still counts.',
  createdAt: 'When it was announced; without an announcement when its block was made.',
  payment: 'The payment as seen on chain; null while none was seen.',
}

const deskTerms: Texts = {
  from: 'The asset that the member gives.',
  to: 'The asset that the member gets.',
  amountIn: 'Given, in whole units of `from`, exact.',
  rate: 'Whole units of `to` for one of `from` before the fee: ⌊from price × 10^18 ÷ to price⌋ in base units. For display only.',
  fee: 'In whole units of `to`: ⌊amountIn × from price ÷ to price⌋ − amountOut, in base units.',
  amountOut:
    'What the member gets, in whole units of `to`: ⌊amountIn × from price × (1,000,000 − feePpm) ÷ (to price × 1,000,000)⌋ in base units, one rounding.',
  feePpm: 'The fee in millionths of what is given out: ⌈baseFeePpm × (100 − discountPercent) ÷ 100⌉.',
  baseFeePpm: 'The fee before the discount, in millionths: 3000 is 0.3 %.',
  level: 'The member’s level then, 0 to 5.',
  discountPercent: 'Discount of that level, percent: 0, 5, 10, 15, 20, 25.',
  prices: 'The two prices that were used.',
  'prices.from': 'The price of `from`: the lower of average and spot.',
  'prices.to': 'The price of `to`: the higher of average and spot.',
}

const filter: Texts = {
  kinds: 'Only lines of these kinds, with commas between them.',
  asset: 'Only lines of this asset.',
  account: 'Only lines of this account: available can be spent, held is set aside for withdrawals.',
  upTo: 'Only what was posted up to this number of the ledger, such as the `ledgerSequence` of an attestation.',
  since: 'Only lines from this instant on.',
  before: 'Only lines before this instant.',
}

/** Money that comes in, goes out, is exchanged, and what is written about it. */
export const payments: Described = {
  schemas: {
    Payment: {
      schema: endpoints['GET deposit/list'].data.shape.items.element.shape.payment.unwrap(),
      text: 'A payment to the contract, as seen on chain.',
      properties: {
        txHash: 'Its transaction.',
        payer: 'Who paid.',
        asset: 'The asset that was paid.',
        amount: 'In whole units of the asset, exact.',
        blockNumber: 'The block that has it.',
        confirmations: 'Blocks that stand on it, its own counted; no more than are needed.',
        confirmationsNeeded: 'Confirmations with which it is credited.',
        outcome:
          'Where the money went: order, balance, or suspense (nobody’s account until an operator assigns it). Null while it is confirming.',
        at: 'When its block was made.',
      },
    },
    Transaction: {
      schema: endpoints['GET lending/transaction'].data.shape.transaction,
      text: 'What the wallet has to send: `recharge(string,bytes)` of the payment contract.',
      properties: {
        chainId: 'The chain’s id.',
        to: 'The payment contract.',
        abiKey: 'The first argument: what is paid for.',
        tuple:
          'What the second argument encodes: amount in base units, payment asset (zero address for JU), customer, reference.',
        data: 'The encoded call.',
        value: 'JU to send with it, a whole number of base units.',
        gas: 'Gas limit, a whole number.',
      },
    },
    Withdrawal: {
      schema: endpoints['POST withdraw/apply'].data.shape.withdrawal,
      text: 'A payout to the account’s own wallet.',
      properties: {
        withdrawalNo: 'Its number.',
        asset: 'The asset.',
        amount: 'Taken from the balance: `received` + `fee`, in whole units of the asset, exact.',
        fee: 'Kept by the platform, in whole units of the asset, exact.',
        received: 'Paid to the wallet, in whole units of the asset, exact.',
        feeKept:
          'The fee, where it was kept although nothing was paid because the wallet made the payment revert; null otherwise.',
        to: 'The account’s own wallet.',
        state:
          'review: an operator decides. queued: waits to be signed. sending: signed. confirming: in a block. done, or rejected and failed: the money is back.',
        reason: 'Why it waits, was refused or failed; null where there is nothing to say.',
        blocked: 'True while the chain refuses it because of its block list; absent otherwise.',
        note: 'The operator’s words on a refusal; null for none.',
        createdAt: 'When it was asked for.',
        takenBackAt: 'When its owner took it back; null unless it did.',
        estimatedAt: 'When it should be there; null when it has ended or an operator decides.',
        txHash: 'Its transaction; null before it is signed.',
        confirmations: 'Blocks that stand on it; 0 before it is in one.',
        confirmationsNeeded: 'Confirmations with which it is done.',
        timeline: 'Every step, oldest first.',
        'timeline.state': 'The state that began.',
        'timeline.at': 'When it began.',
        'timeline.txHash': 'The transaction of the step; null for none.',
      },
    },
    Deposit: {
      schema: endpoints['POST deposit/getOrder'].data.shape.deposit,
      text: 'Money that came in or is announced.',
      properties: deposit,
    },
    ListedDeposit: {
      schema: endpoints['GET deposit/list'].data.shape.items.element,
      text: 'A deposit with the transaction that pays it in.',
      properties: {
        ...deposit,
        transaction: 'The transaction that pays it in, from any device; null unless it is announced and not paid yet.',
      },
    },
    Transfer: {
      schema: endpoints['POST transfer/index'].data.shape.transfer,
      text: 'Value moved from one account to another.',
      properties: {
        transferNo: 'Its number, the same for both sides.',
        direction: 'out: the caller sent it. in: the caller got it.',
        asset: 'The asset.',
        amount: 'In whole units of the asset, exact.',
        fee: 'Always 0.',
        counterparty: 'The other side.',
        'counterparty.uid': 'Its UID.',
        'counterparty.maskedAddress': 'The first 6 and last 4 characters of its address.',
        createdAt: 'When it was done.',
      },
    },
    DeskPrice: {
      schema: endpoints['POST exchange/quote'].data.shape.prices.shape.from,
      text: 'A price as the desk used it, with the two that it chose from. USDT per whole unit.',
      properties: {
        asset: 'The asset that the price is of.',
        used: 'The price used: the worse of the two for the member. 1 for USDT.',
        side: 'Which of the two it is; unit for USDT.',
        average: 'Average weighted by time over `windowSeconds`, rounded down.',
        spot: 'Spot price at `blockNumber`, rounded down.',
        windowSeconds: 'Seconds that the average goes over; 0 for USDT.',
        pair: 'The pair contract; null for USDT.',
        blockNumber: 'The block of the last observation; null for USDT.',
        observedAt: 'When that block was made; null for USDT.',
      },
    },
    Exchange: {
      schema: endpoints['POST exchange/index'].data.shape.exchange,
      text: 'An exchange that was done, with what it is recomputed from.',
      properties: {
        exchangeNo: 'Its number.',
        ...deskTerms,
        quotedOut:
          'The `amountOut` of its quote. What is given is the less of this and of what the prices at execution give.',
        minReceived: 'The least that the member accepted, in whole units of `to`.',
        pricedBy: 'quote: the prices are those of the quote. execution: those at execution, because they gave less.',
        createdAt: 'When it was done.',
      },
    },
    StatementLine: {
      schema: endpoints['GET statement/list'].data.shape.items.element,
      text: 'One change of one of the caller’s accounts.',
      properties: {
        id: 'Names the line among the caller’s.',
        kind: 'What happened.',
        account: 'available can be spent; held is set aside for withdrawals.',
        asset: 'The asset.',
        amount: 'The change of the account’s balance, in whole units of the asset, exact; below zero when it fell.',
        balance: 'The account’s balance after the line, in whole units of the asset, exact.',
        bookedAt:
          'When it was recorded: orders the lines, cuts periods and carries `balance`; it is never changed, and never before that of an earlier line of the account.',
        at: 'The value date: when it happened, for a payment on chain the time of its block.',
        isFee: 'True for the fee of the withdrawal that the line belongs to.',
        reference: 'The record that it belongs to; null where that has no number.',
        'reference.type': 'What the record is.',
        'reference.no': 'Its number; for type day the UTC day.',
        txHash: 'The transaction on chain that it belongs to; null for none.',
        counterparty: 'The other side of a transfer; null for other kinds.',
        'counterparty.uid': 'Its UID.',
        'counterparty.maskedAddress': 'The first 6 and last 4 characters of its address.',
      },
    },
    Envelope: {
      schema: envelopeForm,
      text: 'An encrypted call. `sign` is HMAC-SHA256 with key `handshake` over `timestamp + "." + data`.',
      properties: {
        handshake: '16 letters and digits, made anew for each call: the AES-128 key, used once.',
        timestamp: 'Milliseconds since 1970 in UTC; at most 120 seconds from the service’s time.',
        sign: 'The signature in lower-case hexadecimal.',
        data: 'base64 of AES-128-ECB with PKCS7 padding over the JSON of `{method, url, params, data, headers}`.',
      },
    },
  },
  endpoints: {
    'POST deposit/getOrder': {
      input: {
        asset: 'The asset that will be paid in.',
        amount: 'The amount that will be paid in, above zero, in whole units of the asset.',
      },
      data: {
        deposit: 'The announcement.',
        transaction: 'The transaction that pays it in.',
        approval: 'The allowance that the contract needs before; null for JU.',
        'approval.token': 'The token contract.',
        'approval.spender': 'Who is allowed to take it: the payment contract.',
        'approval.amount': 'Base units, a whole number as a decimal text.',
      },
    },
    'GET deposit/dust': {
      input: { asset: 'The asset of the statement’s line.', day: 'The UTC day of the statement’s line.' },
      data: {
        items: 'The payments, newest first. Together they are the amount of the line.',
        'items.txHash': 'Its transaction.',
        'items.payer': 'Who paid.',
        'items.amount': 'In whole units of the asset, exact.',
        'items.at': 'When its block was made.',
      },
    },
    'GET deposit/list': {
      input: { depositNo: 'Only the deposit of this number.' },
      data: { items: 'The deposits, newest first.' },
    },
    'GET withdraw/quote': {
      input: {
        asset: 'The asset.',
        amount: 'The amount to take from the balance, above zero, in whole units of the asset.',
      },
      data: {
        asset: 'The asset of all amounts here, in whole units.',
        available: 'Can be spent now, exact.',
        fee: 'The fee of a withdrawal of the asset, whatever its amount.',
        minimum: 'The least amount.',
        leftToday: 'What the limit of the day leaves, rounded down; null while the price is unknown.',
        leftThisMonth: 'What the limit of the month leaves, rounded down; null while the price is unknown.',
        received: 'amount − fee; null without an amount, or when the fee is not below it.',
        to: 'The account’s own wallet.',
        needsReview: 'True when an operator has to approve the amount.',
        paused: 'True while withdrawals are paused.',
        expectedAt: 'When it should be there; null without an amount, or where nobody knows.',
      },
    },
    'POST withdraw/apply': {
      input: {
        asset: 'The asset.',
        amount: 'The amount to take from the balance, fee included, above zero, in whole units of the asset.',
        fee: 'The fee that was shown; absent: whatever it is now.',
      },
      data: { withdrawal: 'The withdrawal as it stands.' },
    },
    'POST withdraw/cancel': {
      input: { withdrawalNo: 'The withdrawal to take back.' },
      data: { withdrawal: 'The withdrawal as it stands.' },
    },
    'GET withdraw/list': {
      input: { withdrawalNo: 'Only the withdrawal of this number.' },
      data: { items: 'The withdrawals, newest first.' },
    },
    'GET transfer/recipient': {
      input: { to: 'The address or UID of an account.' },
      data: {
        uid: 'Its UID.',
        address: 'Its address, for the signed terms.',
        self: 'True when it is the caller, to whom a transfer is refused.',
      },
    },
    'POST transfer/index': {
      input: {
        to: 'The address or UID of the recipient’s account.',
        asset: 'The asset.',
        amount:
          'Above zero, in whole units of the asset, in the shortest form ("1.1", not "1.10"): the signature is over this text.',
        deadline: 'Until when the signature is good, as `Date.toISOString` writes it; at most ten minutes ahead.',
        signature: 'EIP-712 signature of the caller’s wallet over the terms, in hexadecimal.',
      },
      data: { transfer: 'The transfer.' },
    },
    'GET transfer/list': { data: { items: 'The transfers, newest first.' } },
    'POST exchange/quote': {
      input: {
        from: 'The asset to give.',
        to: 'The asset to get.',
        amount: 'The amount to give, above zero, in whole units of `from`.',
      },
      data: {
        quoteNo: 'Names the quote for `exchange/index`.',
        ...deskTerms,
        hourLeft: 'The most that the desk takes now, in whole units of `from`, rounded down.',
        createdAt: 'When it was made.',
        expiresAt: 'Until when it is good: 30 seconds later.',
      },
    },
    'POST exchange/index': {
      input: {
        quoteNo: 'The quote.',
        minReceived: 'The least to get, in whole units of `to`; 0 sets no limit. Less is refused with 4204.',
      },
      data: { exchange: 'The exchange.' },
    },
    'GET exchange/list': { data: { items: 'The exchanges, newest first.' } },
    'GET statement/period': {
      input: { since: 'Where the period begins, counted.', before: 'Where the period ends, not counted.' },
      data: {
        since: 'As asked.',
        before: 'As asked.',
        isFinal:
          'True when every transaction that was open at the end has ended: lines and balances never change then.',
        finalBefore: 'Periods that end by then are final; null before the first is.',
        balances: 'One for each asset and account.',
        'balances.asset': 'The asset.',
        'balances.account': 'available can be spent; held is set aside for withdrawals.',
        'balances.opening': 'The balance before the first line of the period, in whole units of the asset, exact.',
        'balances.closing': 'The balance after the last line: opening and all amounts of the period, exact.',
      },
    },
    'GET statement/list': { input: filter, data: { items: 'The lines, newest first.' } },
    'GET statement/csv': {
      input: { ...filter, format: 'Number of a form for programs; absent: for people.' },
      data: { text: 'A piece of the file; the first begins with the headings.' },
    },
    'POST file/link': {
      input: {
        file: 'The kind of file.',
        ...filter,
        format: 'As of `statement/csv`.',
        day: 'The attested day of a proof; absent: the last one.',
      },
      data: { token: 'Takes the file once.', expiresAt: 'Until when it is good: ten minutes later.' },
    },
    'POST file/take': {
      input: { token: 'The token of `file/link`, or `next` of the piece before.' },
      data: {
        name: 'The file’s name.',
        mime: 'Its media type.',
        text: 'A piece of the file; all pieces together are the file.',
        next: 'The token of the next piece, good for ten minutes; null after the last.',
      },
    },
  },
}
