/** One planted bug: in each file, the only place of the first text becomes the second. Files are below `server/src`. */
export type Bug = { bug: string; file: string; search: string; replace: string; more?: Omit<Bug, 'bug' | 'more'>[] }

const following: Bug[] = [
  {
    bug: 'the parent of the next block is not checked',
    file: 'chain/reconcile-block.ts',
    search: '(tip === null || first.parentHash === tip.hash)',
    replace: 'first.number > 0n',
  },
  {
    bug: 'a node that is behind everything we know is believed',
    file: 'chain/reconcile-block.ts',
    search: 'isBehind(last, start, lowest(hashes))',
    replace: '(tip === null && last.number < start)',
  },
  {
    bug: 'a stale head takes back what stands above it',
    file: 'chain/reconcile-block.ts',
    search: 'if (hashes.get(last.number) === last.hash || ',
    replace: 'if (',
  },
  {
    bug: 'a reorganisation does not unrecord',
    file: 'chain/record-blocks.ts',
    search: ".where('state', '=', 'recorded')\n    .where('block_number', '>', above)",
    replace: ".where('state', '=', 'recorded')\n    .where('block_number', '>', above + 1000n)",
  },
  {
    bug: 'the lowest block of a reorganisation keeps its payments',
    file: 'chain/record-blocks.ts',
    search: 'const above = ancestor.number\n',
    replace: 'const above = ancestor.number + 1n\n',
  },
  {
    bug: 'a reorganisation is followed from one block too far up',
    file: 'chain/reconcile-block.ts',
    search: "{ case: 'reorganisation', ancestor, blocks }",
    replace: "{ case: 'reorganisation', ancestor: ancestor + 1n, blocks: blocks.slice(1) }",
  },
  {
    bug: 'a stride is written though another follower was faster',
    file: 'chain/record-blocks.ts',
    search: 'cursor.followed_hash !== (stride.from?.hash ?? null)',
    replace: 'stride.blocks.length > 1000',
  },
  {
    bug: 'blocks are forgotten at once',
    file: 'chain/follow-blocks.ts',
    search: '4n * deepOf(deps.confirmations)',
    replace: '0n',
  },
  {
    bug: '"no logs" is believed',
    file: 'chain/read-chain.ts',
    search: 'logs.length > 0 || !signs.some((sign) => bloomMayHold(block.logsBloom, sign))',
    replace: 'logs.length >= 0 || !signs.some((sign) => bloomMayHold(block.logsBloom, sign))',
  },
  {
    bug: 'far strides leave out their first block',
    file: 'chain/far-stride.ts',
    search: 'deps.reader.paymentsIn(from, to)',
    replace: 'deps.reader.paymentsIn(from + 1n, to)',
  },
  {
    bug: 'far strides stand on anything',
    file: 'chain/follow-blocks.ts',
    search: 'if (ours !== null && ours.hash !== tip?.hash)',
    replace: "if (ours?.hash === '')",
  },
  {
    bug: 'far strides leave out their last block',
    file: 'chain/far-stride.ts',
    search: 'deps.reader.paymentsIn(from, to)',
    replace: 'deps.reader.paymentsIn(from, to - 1n)',
  },
  {
    bug: 'the last block of a far stride is asked for again elsewhere',
    file: 'chain/far-stride.ts',
    search: 'const [logs, [last, ours]] =',
    replace: 'const [logs, [end, ours]] =',
    more: [
      {
        file: 'chain/far-stride.ts',
        search: 'if (!last || ours === null) throw',
        replace: 'const last = end ?? (await deps.reader.headers([to]))[0]\n  if (!last || ours === null) throw',
      },
    ],
  },
  {
    bug: 'payments of a far stride get the time of its last block',
    file: 'chain/far-stride.ts',
    search: 'blockAt: header.at',
    replace: 'blockAt: last.at',
  },
  {
    bug: 'the transfer behind a payment counts as money of its own',
    file: 'chain/decode.ts',
    search: "fact.kind === 'payment' ? transferBehind(facts, index) : []",
    replace: "fact.kind === 'paid' ? transferBehind(facts, index) : []",
  },
  {
    bug: 'bare token transfers are not read',
    file: 'chain/decode.ts',
    search: 'if (asset === undefined || amount === 0n) return null',
    replace: 'if (asset !== undefined || amount === 0n) return null',
  },
  {
    bug: 'native payments are read as USDT',
    file: 'chain/decode.ts',
    search: "[NATIVE_ASSET, 'JU']",
    replace: "[NATIVE_ASSET, 'USDT']",
  },
  {
    bug: 'every payment waits for the small number of blocks',
    file: 'chain/confirmations.ts',
    search: '? rule.large : rule.normal',
    replace: '? rule.normal : rule.normal',
  },
]

const crediting: Bug[] = [
  {
    bug: 'payments are credited at depth zero',
    file: 'chain/credit.ts',
    search: 'block_number + confirmations_needed - 1 <=',
    replace: 'block_number <=',
  },
  {
    bug: 'payments are credited one block early',
    file: 'chain/credit.ts',
    search: 'confirmations_needed - 1 <=',
    replace: 'confirmations_needed - 2 <=',
  },
  {
    bug: 'depth counts from a head that was only announced',
    file: 'chain/credit.ts',
    search: '<= ${cursor.followed}`',
    replace: '<= ${cursor.head}`',
  },
  {
    bug: 'what is credited is credited again',
    file: 'chain/credit.ts',
    search: "    .where('state', '=', 'recorded')\n",
    replace: '',
  },
  {
    bug: 'payments are marked and not posted',
    file: 'chain/credit.ts',
    search: 'const outcomes = await postBatch(tx, postings)',
    replace: 'const outcomes = await postBatch(tx, postings.slice(1))',
  },
  {
    bug: 'payments are posted and not marked',
    file: 'chain/credit.ts',
    search: 'where chain_event.id = done.id`',
    replace: 'where chain_event.id = -done.id`',
  },
  {
    bug: 'a posting has another id each time',
    file: 'chain/credit.ts',
    search: 'uuidFromName(`chain:${CHAIN_ID}:${payment.txHash}:${payment.txPosition}:${nth}`)',
    replace: 'crypto.randomUUID()',
  },
  {
    bug: 'the newest payment is credited first',
    file: 'chain/credit.ts',
    search: ".orderBy('block_number')",
    replace: ".orderBy('block_number', 'desc')",
  },
  {
    bug: 'a deposit goes to its payer, not to the member that it is for',
    file: 'modules/deposit/decide-receipts.ts',
    search: 'memberOf(payment.customer) ?? payer',
    replace: 'payer ?? memberOf(payment.customer)',
  },
  {
    bug: 'money that buys nothing goes to the customer',
    file: 'modules/deposit/decide-receipts.ts',
    search: "payer === undefined ? { kind: 'suspense' } : { kind: 'unmatched', memberId: payer }",
    replace:
      "payer === undefined ? { kind: 'suspense' } : { kind: 'unmatched', memberId: memberOf(payment.customer) ?? payer }",
  },
  {
    bug: 'revenue counts in any asset',
    file: 'modules/deposit/decide-receipts.ts',
    search: "payment.asset === 'HASH' && ",
    replace: '',
  },
  {
    bug: 'revenue of no day counts',
    file: 'modules/deposit/decide-receipts.ts',
    search: ' && isDay(payment.reference)',
    replace: '',
  },
  {
    bug: 'receipts are not kept',
    file: 'modules/deposit/settle-receipts.ts',
    search: '  await recordReceipts(tx, settled)\n',
    replace: '',
  },
  {
    bug: 'an order is bought again by its second payment',
    file: 'modules/power/decide-purchases.ts',
    search: "settled.has(order.id) || (order.state !== 'pending' && order.state !== 'cancelled')",
    replace: 'settled.has(order.id) && order.units < 0n',
  },
  {
    bug: 'a stranger can spoil an order',
    file: 'modules/power/decide-purchases.ts',
    search: 'if (!isExact(payment, order) && payment.payer !== order.owner) return',
    replace: 'if (order.units < 0n) return',
  },
  {
    bug: 'any amount buys an order',
    file: 'modules/power/decide-purchases.ts',
    search: 'payment.asset === order.asset && payment.amount === order.payable',
    replace: 'payment.asset === order.asset && payment.amount > 0n',
  },
  {
    bug: 'units of a cancelled order stay reserved',
    file: 'modules/power/cancel-unpaid-orders.ts',
    search: 'delta: row.units',
    replace: 'delta: row.units - row.units',
  },
  {
    bug: 'a request id is not remembered',
    file: 'db/once.ts',
    search: 'on conflict (member_id, request_id) do nothing',
    replace: "on conflict (member_id, request_id) do update set result = 'null'",
  },
]

const payingOut: Bug[] = [
  {
    bug: 'the nonce is what the chain has counted',
    file: 'modules/withdraw/sign-payout.ts',
    search: 'if (nonceNow <= ours) return ours',
    replace: 'if (nonceNow <= ours) return nonceNow',
  },
  {
    bug: 'the next nonce is not kept',
    file: 'modules/withdraw/sign-payout.ts',
    search: 'next_nonce: nonce + 1n',
    replace: 'next_nonce: nonce',
  },
  {
    bug: 'nonces are left out',
    file: 'modules/withdraw/sign-payout.ts',
    search: 'next_nonce: nonce + 1n',
    replace: 'next_nonce: nonce + 2n',
  },
  {
    bug: 'what is on its way is signed again after a restart',
    file: 'modules/withdraw/sign-payout.ts',
    search: ".where('state', '=', 'queued')",
    replace: ".where('state', 'in', ['queued', 'sending'])",
    more: [
      {
        file: 'modules/withdraw/sign-payout.ts',
        search: "if (row?.state !== 'queued') return null",
        replace: 'if (row === undefined) return null',
      },
      {
        file: 'modules/withdraw/sign-payout.ts',
        search: '  assert(row.nonce === null, `withdrawal ${row.withdrawal_no} was signed already`)\n',
        replace: '  assert(row.id > 0n, "")\n',
      },
    ],
  },
  {
    bug: 'two workers may sign the same withdrawal',
    file: 'modules/withdraw/sign-payout.ts',
    search: "if (row?.state !== 'queued') return null",
    replace: 'if (row === undefined) return null',
  },
  {
    bug: 'the hold is released before the payout is provably dead',
    file: 'modules/withdraw/end-dead-payouts.ts',
    search: 'open.filter(({ payer, nonce }) => nonce < (used.get(payer) ?? 0n))',
    replace: 'open',
  },
  {
    bug: 'the payout of the next nonce is taken for dead, too',
    file: 'modules/withdraw/end-dead-payouts.ts',
    search: 'nonce < (used.get(payer) ?? 0n)',
    replace: 'nonce <= (used.get(payer) ?? 0n)',
  },
  {
    bug: 'a dead payout keeps its money',
    file: 'modules/withdraw/change-state.ts',
    search: '  await post(tx, releasePosting(postedOf(row), now))\n',
    replace: '',
  },
  {
    bug: 'a stuck payout is signed again at another nonce',
    file: 'modules/withdraw/replace-payouts.ts',
    search: 'callOf(deps, row, row.nonce, gasPrice)',
    replace: 'callOf(deps, row, row.nonce + 1n, gasPrice)',
  },
  {
    bug: 'the fee is paid out, too',
    file: 'modules/withdraw/sign-payout.ts',
    search: 'amount: row.amount - row.fee,\n',
    replace: 'amount: row.amount,\n',
  },
  {
    bug: 'the fee stays held',
    file: 'modules/withdraw/postings.ts',
    search: 'fee > 0n ? [paid, kept] : [paid]',
    replace: '[paid]',
    more: [{ file: 'modules/withdraw/postings.ts', search: 'const kept =', replace: 'void fee\n  void' }],
  },
  {
    bug: 'nothing is set aside when a payout is asked for',
    file: 'modules/withdraw/apply.ts',
    search: '  await post(tx, holdPosting(terms, now))\n',
    replace: '',
  },
  {
    bug: 'a payout counts as done without being posted twice the same way',
    file: 'modules/withdraw/settle-payouts.ts',
    search: "if (row.state !== 'done') await changeState",
    replace: "if (row.state === 'done') await changeState",
  },
  {
    bug: 'payouts are told by another id at each try',
    file: 'chain/credit.ts',
    search: 'uuidFromName(`payout:${CHAIN_ID}:${payoutId}:${nth}`)',
    replace: 'uuidFromName(`payout:${CHAIN_ID}:${nth}`)',
  },
  {
    bug: 'reconciliation forgets what waits for its depth',
    file: 'modules/reconcile/read-books.ts',
    search: '(waiting.find((line) => line.asset === asset)?.amount ?? 0n) -',
    replace: '-',
  },
  {
    bug: 'reconciliation asks the newest block instead of the one of the books',
    file: 'chain/payout-chain.ts',
    search: '({ blockHash: at.hash as Hex, requireCanonical: true })',
    replace: "'latest' as never",
  },
]

export const bugs: readonly Bug[] = [...following, ...crediting, ...payingOut]
