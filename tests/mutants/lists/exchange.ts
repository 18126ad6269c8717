import { inFile, type Mutation } from '../mutation.ts'

const execute = inFile('server/src/modules/exchange/execute.ts', [
  {
    name: 'a quote is good at the very end of its time',
    search: 'quote.expires_at <= now ||',
    replace: 'quote.expires_at < now ||',
  },
  {
    name: 'a quote never expires',
    search: 'quote.expires_at <= now || (await isUsed(tx, quote.id))',
    replace: 'await isUsed(tx, quote.id)',
  },
  {
    name: 'a quote may be used again',
    search: 'quote.expires_at <= now || (await isUsed(tx, quote.id))',
    replace: 'quote.expires_at <= now',
  },
  {
    name: 'what was agreed to is not compared',
    search: 'if (terms.amount_out < minReceived)',
    replace: 'if (terms.amount_out < 0n)',
  },
  {
    name: 'exactly what was agreed to is refused',
    search: 'terms.amount_out < minReceived',
    replace: 'terms.amount_out <= minReceived',
  },
  {
    name: 'the quote of somebody else may be used',
    search: "\n    .where('member_id', '=', memberId)\n    .forNoKeyUpdate()",
    replace: '\n    .forNoKeyUpdate()',
  },
  { name: 'a quote is read without a lock', search: '\n    .forNoKeyUpdate()', replace: '' },
  {
    name: 'the better of both prices is given',
    search: 'outcome.received >= amount_out',
    replace: 'outcome.received < amount_out',
  },
  {
    name: 'the price of this moment is not asked for',
    search: 'if (outcome.received >= amount_out) {',
    replace: 'if (outcome.received >= 0n) {',
  },
  {
    name: 'what the quote promised is booked at a new price',
    search: 'amount_out: outcome.received,',
    replace: 'amount_out,',
  },
  {
    name: 'the request id is not claimed',
    search: 'await runIdempotent(tx, call, () => exchangeNow(tx, deps, input, { memberId, now }))',
    replace: 'await exchangeNow(tx, deps, input, { memberId, now })',
  },
  {
    name: 'an exchange is written down and not posted',
    search: '    await post(tx, exchangePosting(exchange, now))\n',
    replace: '    if (exchange.amountIn < 0n) await post(tx, exchangePosting(exchange, now))\n',
  },
  {
    name: 'a desk that is short is an unnamed error',
    search: "throw deskShort(await accountBalance(tx, platformAccount('deskInventory', to)), to)",
    replace: 'throw error',
  },
  {
    name: 'a member who is short is told of the other asset',
    search: "memberAccount(memberId, 'memberAvailable', from))",
    replace: "memberAccount(memberId, 'memberAvailable', to))",
  },
])

const quote = inFile('server/src/modules/exchange/quote.ts', [
  { name: 'an asset is exchanged for itself', search: 'if (from === to) throw', replace: 'if (from === null) throw' },
  {
    name: 'less than the minimum is quoted',
    search: 'if (worth >= minimum && received > 0n) return',
    replace: 'if (received > 0n) return',
  },
  { name: 'exactly the minimum is refused', search: 'worth >= minimum', replace: 'worth > minimum' },
  { name: 'a quote that gives nothing is made', search: ' && received > 0n) return', replace: ') return' },
  {
    name: 'more than the desk has is quoted',
    search: 'if (outcome.gross > stock)',
    replace: 'if (outcome.gross < 0n)',
  },
  {
    name: 'the fee is left out of what the desk needs',
    search: 'if (outcome.gross > stock)',
    replace: 'if (outcome.received > stock)',
  },
  {
    name: 'the last of the stock is not quoted',
    search: 'if (outcome.gross > stock)',
    replace: 'if (outcome.gross >= stock)',
  },
  { name: 'quotes last a minute', search: 'QUOTE_MS = 30_000', replace: 'QUOTE_MS = 60_000' },
  {
    name: 'the desk takes at the price at which it gives',
    search: "from: choosePrice(prices[from], 'takes')",
    replace: "from: choosePrice(prices[from], 'gives')",
  },
  {
    name: 'the desk gives at the price at which it takes',
    search: "to: choosePrice(prices[to], 'gives')",
    replace: "to: choosePrice(prices[to], 'takes')",
  },
  {
    name: 'the stock is that of the asset that comes in',
    search: "platformAccount('deskInventory', to))",
    replace: "platformAccount('deskInventory', from))",
  },
  {
    name: 'nobody has a discount',
    search: 'feeAt(settings.exchangeFeePpm, level)',
    replace: 'feeAt(settings.exchangeFeePpm, 0 * level)',
  },
])

const rules = [
  ...inFile('server/src/modules/exchange/choose-price.ts', [
    {
      name: 'the price is the better one for whoever exchanges',
      search: "desk === 'takes' ? lowerPrice(price) : higherPrice(price)",
      replace: "desk === 'gives' ? lowerPrice(price) : higherPrice(price)",
    },
    {
      name: 'the desk gives at the price at which it would take',
      search: "desk === 'takes' ? lowerPrice(price) : higherPrice(price)",
      replace: 'lowerPrice(price)',
    },
    {
      name: 'the evidence names the other price',
      search: "used === average ? 'average' : 'spot'",
      replace: "used === average ? 'spot' : 'average'",
    },
  ]),
  ...inFile('server/src/modules/exchange/desk-limit.ts', [
    { name: 'an hour has no limit', search: 'if (amountIn <= left) return', replace: 'if (left >= 0n) return' },
    { name: 'exactly what an hour leaves is refused', search: 'amountIn <= left', replace: 'amountIn < left' },
    {
      name: 'exchanges at once pass the limit of an hour',
      search: '    await sql`select pg_advisory_xact_lock(${advisoryLocks.desk}, hashtext(${asset}))`.execute(tx)\n',
      replace: '    void asset\n',
    },
    {
      name: 'what the desk gives counts like what it takes',
      search: 'limit - sign * (nets',
      replace: 'limit - (nets',
    },
    { name: 'nothing is counted for an hour', search: 'net: sign * worth', replace: 'net: 0n * worth' },
    {
      name: 'of several exchanges in a minute the last one counts',
      search: 'desk_flow.net + excluded.net',
      replace: 'excluded.net',
    },
    {
      name: 'what was exchanged is forgotten before an hour is over',
      search: 'now.getTime() - HOUR_MS - MINUTE_MS',
      replace: 'now.getTime() - MINUTE_MS',
    },
  ]),
  ...inFile('server/src/modules/exchange/fee.ts', [
    { name: 'a fee is rounded down', search: 'Math.ceil(', replace: 'Math.floor(' },
    {
      name: 'levels beyond the last have no discount',
      search: 'Math.min(level, DISCOUNTS.length - 1)',
      replace: 'level',
    },
    { name: 'a discount makes the fee larger', search: '(100 - discount)', replace: '(100 + discount)' },
  ]),
  ...inFile('server/src/modules/exchange/postings.ts', [
    {
      name: 'the fee is taken from the member',
      search: 'debit: desk, credit: platformAccount(',
      replace: "debit: memberAccount(memberId, 'memberAvailable', to), credit: platformAccount(",
    },
    { name: 'the fee is not posted', search: 'legs: fee > 0n ?', replace: 'legs: fee < 0n ?' },
    {
      name: 'each exchange has an id of its own',
      search: '`exchange:${quoteNo}`',
      replace: '`exchange:${exchangeNo}`',
    },
    {
      name: 'what comes in is taken from the desk',
      search:
        "debit: memberAccount(memberId, 'memberAvailable', from),\n      credit: platformAccount('deskInventory', from),",
      replace:
        "credit: memberAccount(memberId, 'memberAvailable', from),\n      debit: platformAccount('deskInventory', from),",
    },
  ]),
  ...inFile('server/src/modules/exchange/list-exchanges.ts', [
    { name: 'exchanges of everybody are listed', search: "\n    .where('e.member_id', '=', memberId)", replace: '' },
    {
      name: 'a page begins with the last exchange of the one before',
      search: "query.where('e.id', '<', before",
      replace: "query.where('e.id', '<=', before",
    },
    {
      name: 'a new price of one asset is called the quote’s',
      search: 'row.from_price === row.quoted_from_price && row.to_price',
      replace: 'row.from_price === row.quoted_from_price || row.to_price',
    },
  ]),
  ...inFile('server/src/modules/exchange/sweep-quotes.ts', [
    { name: 'quotes are forgotten as soon as they end', search: 'now.getTime() - KEPT_MS', replace: 'now.getTime()' },
    {
      name: 'more quotes are forgotten at once than asked for',
      search: 'fetch first ${limit} rows',
      replace: 'fetch first ${limit + 1_000} rows',
    },
    {
      name: 'quotes that were used are looked at each time',
      search: 'set up_to = (select max(expires_at) from looked)',
      replace: 'set up_to = up_to',
    },
  ]),
]

export const exchangeMutations: readonly Mutation[] = [...execute, ...quote, ...rules]
