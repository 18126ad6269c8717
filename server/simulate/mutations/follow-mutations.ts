import type { Mutation } from '../../../tests/mutants/mutation.ts'

export const followMutations: readonly Mutation[] = [
  {
    name: 'the parent of the next block is not checked',
    file: 'server/src/chain/follow/reconcile-block.ts',
    search: '(tip === null || first.parentHash === tip.hash)',
    replace: 'first.number > 0n',
  },
  {
    name: 'a head below all known blocks is accepted',
    file: 'server/src/chain/follow/reconcile-block.ts',
    search: 'isBehind(last, start, lowest(hashes))',
    replace: '(tip === null && last.number < start)',
  },
  {
    name: 'a stale head reverts the blocks above it',
    file: 'server/src/chain/follow/reconcile-block.ts',
    search: 'if (hashes.get(last.number) === last.hash || ',
    replace: 'if (',
  },
  {
    name: 'a reorganisation reverts nothing',
    file: 'server/src/chain/follow/record-blocks.ts',
    search: ".where('state', '=', 'recorded')\n    .where('block_number', '>', above)",
    replace: ".where('state', '=', 'recorded')\n    .where('block_number', '>', above + 1000n)",
  },
  {
    name: 'the lowest reverted block keeps its payments',
    file: 'server/src/chain/follow/record-blocks.ts',
    search: 'const above = ancestor.number\n',
    replace: 'const above = ancestor.number + 1n\n',
  },
  {
    name: 'a reorganisation is followed from one block above its common ancestor',
    file: 'server/src/chain/follow/reconcile-block.ts',
    search: "{ case: 'reorganisation', ancestor, blocks }",
    replace: "{ case: 'reorganisation', ancestor: ancestor + 1n, blocks: blocks.slice(1) }",
  },
  {
    name: 'a block range is written though another follower was faster',
    file: 'server/src/chain/follow/record-blocks.ts',
    search: 'cursor.followed_hash !== (range.from?.hash ?? null)',
    replace: 'range.blocks.length > 1000',
  },
  {
    name: 'kept blocks are deleted at once',
    file: 'server/src/chain/follow/follow-blocks.ts',
    search: '4n * deepOf(deps.confirmations)',
    replace: '0n',
  },
  {
    name: 'an answer without logs is accepted though the bloom filter shows some',
    file: 'server/src/chain/follow/read/read-chain.ts',
    search: 'logs.length > 0 || !signs.some((sign) => bloomMayHold(block.logsBloom, sign))',
    replace: 'logs.length >= 0 || !signs.some((sign) => bloomMayHold(block.logsBloom, sign))',
  },
  {
    name: 'an answer for a range is accepted though a bloom filter shows more',
    file: 'server/src/chain/follow/read/historical-range.ts',
    search: '!reader.hasAll(block, byNumber.get(block.number) ?? [])',
    replace: 'block.number < 0n',
  },
  {
    name: 'the answer of a node of another chain is used',
    file: 'server/src/chain/node/send-calls.ts',
    search: 'if (found !== chainId)',
    replace: 'if (found < 0)',
  },
  {
    name: 'the age of the head is counted from our own clock alone',
    file: 'server/src/chain/follow/status.ts',
    search: 'Math.min(newest, head_seen_at.getTime())',
    replace: 'head_seen_at.getTime()',
  },
  {
    name: 'a historical range leaves out its first block',
    file: 'server/src/chain/follow/read/historical-range.ts',
    search: 'deps.reader.paymentsIn(from, to)',
    replace: 'deps.reader.paymentsIn(from + 1n, to)',
  },
  {
    name: 'a historical range is written on any parent',
    file: 'server/src/chain/follow/follow-blocks.ts',
    search: 'if (ours !== null && ours.hash !== tip?.hash)',
    replace: "if (ours?.hash === '')",
  },
  {
    name: 'a historical range leaves out its last block',
    file: 'server/src/chain/follow/read/historical-range.ts',
    search: 'deps.reader.paymentsIn(from, to)',
    replace: 'deps.reader.paymentsIn(from, to - 1n)',
  },
  {
    name: 'the last block of a historical range is requested again from another node',
    file: 'server/src/chain/follow/read/historical-range.ts',
    search: 'const [logs, [last, ours], others] =',
    replace: 'const [logs, [end, ours], others] =',
    more: [
      {
        file: 'server/src/chain/follow/read/historical-range.ts',
        search: 'if (!last || ours === null) throw',
        replace: 'const last = end ?? (await deps.reader.headers([to]))[0]\n  if (!last || ours === null) throw',
      },
    ],
  },
  {
    name: 'payments of a historical range get the time of its last block',
    file: 'server/src/chain/follow/read/historical-range.ts',
    search: 'recordedAt(payment, block.at)\n  })',
    replace: 'recordedAt(payment, (blocks.at(-1) ?? block).at)\n  })',
  },
  {
    name: 'the token transfer of a payment is recorded as a second payment',
    file: 'server/src/chain/follow/read/decode.ts',
    search: "fact.kind === 'payment' ? transferBehind(facts, index) : []",
    replace: "fact.kind === 'paid' ? transferBehind(facts, index) : []",
  },
  {
    name: 'token transfers without a gateway call are ignored',
    file: 'server/src/chain/follow/read/decode.ts',
    search: 'if (asset === undefined || amount === 0n) return null',
    replace: 'if (asset !== undefined || amount === 0n) return null',
  },
  {
    name: 'native payments are decoded as USDT',
    file: 'server/src/chain/follow/read/decode.ts',
    search: "[NATIVE_ASSET, 'JU']",
    replace: "[NATIVE_ASSET, 'USDT']",
  },
  {
    name: 'large payments need no more confirmations than others',
    file: 'server/src/chain/crediting/confirmations.ts',
    search: '? rule.large : rule.normal',
    replace: '? rule.normal : rule.normal',
  },
]
