import { inFile, type Mutation } from '../../mutation.ts'

const record = inFile('server/src/chain/follow/record-blocks.ts', [
  { name: 'a follower that was overtaken writes all the same', search: '  if (moved) return nothing\n', replace: '' },
  {
    name: 'the cursor is read without a lock by who records',
    search: "selectFrom('chain_cursor').selectAll().forUpdate()",
    replace: "selectFrom('chain_cursor').selectAll()",
  },
  {
    name: 'payments of the common ancestor are taken back',
    search: "\n    .where('state', '=', 'recorded')\n    .where('block_number', '>', above)",
    replace: "\n    .where('state', '=', 'recorded')\n    .where('block_number', '>=', above)",
  },
  {
    name: 'recorded payments stay after a reorganisation',
    search: "\n    .where('state', '=', 'recorded')\n    .where('block_number', '>', above)",
    replace: "\n    .where('state', '=', 'recorded')\n    .where('block_number', '>', above + 1n)",
  },
  {
    name: 'credited payments that left the chain are not marked',
    search: '.set({ orphaned_at: now })',
    replace: '.set({ orphaned_at: null })',
  },
  {
    name: 'crediting goes on after a credited payment left the chain',
    search: 'halted: reasons.length === 0 ? null :',
    replace: 'halted: reasons.length < 9 ? null :',
  },
  {
    name: 'a later range lets crediting go on',
    search: 'cursor.halted_reason ?? removed.halted',
    replace: 'removed.halted',
  },
  {
    name: 'an unknown ancestor does not stop crediting',
    search: 'ancestor.unknown ?',
    replace: 'ancestor.unknown && orphans.length > 0 ?',
  },
  {
    name: 'a payment in another block is taken for the same',
    search: 'assert(recorded === blockHash,',
    replace: 'assert(recorded !== null,',
  },
  { name: 'an orphan comes back with another amount', search: '  row.amount === payment.amount &&\n', replace: '' },
  {
    name: 'an orphan comes back for another customer',
    search: '  row.customer === payment.customer &&\n',
    replace: '',
  },
  { name: 'an orphan that comes back stays marked', search: '        orphaned_at: null,\n', replace: '' },
  {
    name: 'a payment whose worth is unknown needs few confirmations',
    search: 'rules.valueInUsdt(asset, amount)',
    replace: 'rules.valueInUsdt(asset, amount) ?? 0n',
  },
  { name: 'too few blocks are kept', search: "'<', followed - rules.keepBlocks", replace: "'<', followed" },
])

const reconcile = inFile('server/src/chain/follow/reconcile-block.ts', [
  {
    name: 'a block’s parent is not compared',
    search: '(tip === null || first.parentHash === tip.hash)',
    replace: '(tip === null || first.parentHash !== null)',
  },
  {
    name: 'a gap of one block is not seen',
    search: 'if (first.number > nextNumber)',
    replace: 'if (first.number > nextNumber + 1n)',
  },
  {
    name: 'blocks with other parents are linked',
    search: 'block.number === parent.number + 1n && block.parentHash === parent.hash',
    replace: 'block.number === parent.number + 1n',
  },
  {
    name: 'blocks with a number between them are linked',
    search: 'block.number === parent.number + 1n && block.parentHash === parent.hash',
    replace: 'block.parentHash === parent.hash',
  },
  { name: 'the ancestor is the lowest shared block', search: 'branch.findLastIndex(', replace: 'branch.findIndex(' },
  {
    name: 'an ancestor below every known block is looked for one by one',
    search: 'first.number <= deepest)',
    replace: 'first.number < deepest)',
  },
  {
    name: 'a node that is far behind reorganises us',
    search: 'last.number < start || (deepest !== null && last.number < deepest)',
    replace: 'last.number < start',
  },
])

const follow = [
  ...inFile('server/src/chain/follow/follow-blocks.ts', [
    {
      name: 'blocks that may still change are taken as final',
      search: 'BigInt(2 * Math.max(rule.large, rule.normal))',
      replace: 'BigInt(Math.min(rule.large, rule.normal) - 1)',
    },
    {
      name: 'historical blocks are not held against our tip',
      search: 'if (ours !== null && ours.hash !== tip?.hash)',
      replace: 'if (ours !== null && ours.number !== tip?.number)',
    },
    {
      name: 'a range that was fetched for another tip is used',
      search: 'prefetched?.from === from && prefetched.tipHash === tip?.hash',
      replace: 'prefetched?.from === from',
    },
    {
      name: 'missing blocks of an answer are left out',
      search: 'if (branch.length < headers.length || !isLinked(branch))',
      replace: 'if (branch.length === 0)',
    },
    {
      name: 'a parent that is none is believed',
      search:
        "        if (!isLinked(branch)) throw new RpcError('badAnswer', `block ${result.parent}: not the parent of its child`)\n",
      replace: '',
    },
    {
      name: 'a failing node is asked for as much again',
      search: 'sync.blocks > 1n) sync.blocks /= 2n',
      replace: 'sync.blocks > 1n) sync.blocks /= 1n',
    },
    {
      name: 'one range has the payments of the first block only',
      search: 'decodePayments(logs[index] ?? []',
      replace: 'decodePayments(logs[index * 2] ?? []',
    },
  ]),
  ...inFile('server/src/chain/follow/read/historical-range.ts', [
    {
      name: 'a standstill within a range is not noticed',
      search: 'isGap(known[index - 1], block) || isGap(block, known[index + 1])',
      replace: 'isGap(known[index - 1], block)',
    },
    {
      name: 'a node without the last block is believed',
      search: 'if (!last || ours === null) throw',
      replace: 'if (!last) throw',
    },
    {
      name: 'logs of another block are believed',
      search: 'if (block?.hash !== payment.blockHash)',
      replace: 'if (block === undefined)',
    },
    {
      name: 'logs that a node leaves out of a range are lost',
      search: '[...logs, ...omitted]',
      replace: '[...logs, ...omitted.slice(omitted.length)]',
    },
    {
      name: 'blocks of a range need not be linked',
      search: 'blocks.length <= others.length || !isLinked(blocks)',
      replace: 'blocks.length <= others.length',
    },
    {
      name: 'a range with missing blocks is believed',
      search: 'blocks.length <= others.length || !isLinked(blocks)',
      replace: 'blocks.length < 1 || !isLinked(blocks)',
    },
  ]),
  ...inFile('server/src/chain/follow/read/read-chain.ts', [
    {
      name: 'payments of a block vouch for its transfers',
      search: 'logs.some((log) => fits(log, filter)) ||',
      replace: 'logs.length > 0 ||',
    },
    {
      name: 'a range without logs is believed',
      search: '!signs.some((sign) => bloomMayHold(logsBloom, sign)),',
      replace: 'signs.length > 0,',
    },
    {
      name: 'a block of another number is believed',
      search: 'if (found.number !== number) throw',
      replace: 'if (found.number < 0n) throw',
    },
    {
      name: 'logs of another hash are believed',
      search: 'log.blockHash?.toLowerCase() !== block.hash',
      replace: 'log.blockHash === null',
    },
    {
      name: 'a node that says "no logs" is believed',
      search: 'if (all.length === 0) throw',
      replace: 'if (all.length < 0) throw',
    },
    {
      name: 'payouts are not asked for',
      search: 'const topics = [paymentTopic, paidTopic]',
      replace: 'const topics = [paymentTopic]',
    },
  ]),
  ...inFile('server/src/chain/follow/find-common-ancestor.ts', [
    {
      name: 'an orphaned payment’s block may be the ancestor',
      search: "\n    .where('orphaned_at', 'is', null)",
      replace: '',
    },
    { name: 'the lowest common block is taken', search: 'low = middle + 1\n', replace: 'high = middle - 1\n' },
  ]),
  ...inFile('server/src/chain/follow/start-following.ts', [
    { name: 'a database may follow another contract', search: 'if (cursor.gateway !== gateway || ', replace: 'if (' },
    {
      name: 'a database may follow from another block',
      search: ' || cursor.start_block !== startBlock)',
      replace: ')',
    },
  ]),
]

const doors = [
  ...inFile('server/src/chain/follow/revenue-day.ts', [
    {
      name: 'revenue may be for any day before',
      search: 'reference >= addDays(today, -REVENUE_DAYS_BACK) && ',
      replace: '',
    },
    {
      name: 'revenue may be for any day to come',
      search: ' && reference <= addDays(today, REVENUE_DAYS_AHEAD)',
      replace: '',
    },
    { name: 'revenue comes too late a day early', search: 'REVENUE_DAYS_BACK = 31', replace: 'REVENUE_DAYS_BACK = 30' },
    {
      name: 'revenue may be for the day after tomorrow',
      search: 'REVENUE_DAYS_AHEAD = 1',
      replace: 'REVENUE_DAYS_AHEAD = 2',
    },
    { name: 'USDT is revenue of a day', search: "asset !== 'HASH' || ", replace: '' },
    { name: 'a text that is no day is one', search: ' || !isDay(reference)', replace: '' },
  ]),
  ...inFile('server/src/chain/follow/status.ts', [
    {
      name: 'a node that stands still is fresh',
      search: 'Math.min(newest, head_seen_at.getTime())',
      replace: 'Math.max(newest, head_seen_at.getTime())',
    },
    {
      name: 'a node that is silent is fresh',
      search: 'Math.min(newest, head_seen_at.getTime())',
      replace: 'newest',
    },
    {
      name: 'a head that is not followed yet makes the followed blocks fresh',
      search: 'lag_blocks > 0n ? null : head_at',
      replace: 'head_at',
    },
  ]),
]

const decode = inFile('server/src/chain/follow/read/decode.ts', [
  {
    name: 'a log of another contract is a payment',
    search: 'if (address === gateway && topic === paymentTopic)',
    replace: 'if (topic === paymentTopic)',
  },
  {
    name: 'a transfer of any token counts',
    search: 'topic === transferTopic && assets.has(address) && to',
    replace: 'topic === transferTopic && to',
  },
  {
    name: 'a transfer to anybody counts',
    search: ' && to?.toLowerCase() === topicOf(gateway)) return',
    replace: ') return',
  },
  {
    name: 'a removed log counts',
    search: "  if (log.removed) throw badLog(place, 'it is marked as removed')\n",
    replace: '',
  },
  {
    name: 'the transfer behind a payment counts once more',
    search: '.filter((_fact, index) => !counted.has(index))',
    replace: '.filter((_fact, index) => !counted.has(-index))',
  },
  {
    name: 'positions are counted over all kinds',
    search: 'const key = `${kind} ${place.txHash}`',
    replace: 'const key = place.txHash',
  },
  {
    name: 'the customer is taken for the payer',
    search: '    payer: payer.toLowerCase(),\n    customer: customer.toLowerCase(),',
    replace: '    payer: customer.toLowerCase(),\n    customer: payer.toLowerCase(),',
  },
  {
    name: 'a transfer behind a payment may be another payer’s',
    search: 'a.amount === b.amount && a.payer === b.payer',
    replace: 'a.amount === b.amount',
  },
  {
    name: 'an array that is too long is read',
    search: 'moreTokens.length + moreAmounts.length + morePeople.length > 0',
    replace: 'moreTokens.length + moreAmounts.length > 0',
  },
  {
    name: 'transfers of nothing are recorded',
    search: 'asset === undefined || amount === 0n',
    replace: 'asset === undefined',
  },
  {
    name: 'two hashes of one block are accepted',
    search: 'if (previous.blockHash !== place.blockHash) throw',
    replace: 'if (previous.blockHash === null) throw',
  },
])

export const followMutations: readonly Mutation[] = [...record, ...reconcile, ...follow, ...doors, ...decode]
