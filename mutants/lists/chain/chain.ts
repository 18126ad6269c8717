import { inFile, type Mutation } from '../../mutation.ts'
import { followMutations } from './follow.ts'
import { priceMutations } from './price.ts'

const credit = inFile('server/src/chain/crediting/credit-confirmed.ts', [
  {
    name: 'a payment counts one block too early',
    search: 'block_number + confirmations_needed - 1 <=',
    replace: 'block_number + confirmations_needed - 2 <=',
  },
  {
    name: 'a payment counts one block too late',
    search: 'block_number + confirmations_needed - 1 <=',
    replace: 'block_number + confirmations_needed <=',
  },
  { name: 'depth is counted from the announced head', search: '<= ${cursor.followed}`', replace: '<= ${cursor.head}`' },
  {
    name: 'payments are credited while crediting is halted',
    search: 'cursor === undefined || cursor.halted_reason !== null',
    replace: 'cursor === undefined',
  },
  {
    name: 'the cursor is read without a lock by who credits',
    search: "selectFrom('chain_cursor').selectAll().forUpdate()",
    replace: "selectFrom('chain_cursor').selectAll()",
  },
  {
    name: 'a payment that was set aside is tried at once',
    search: "where('retry_at', '<=', now)",
    replace: "where('retry_at', 'is not', null)",
  },
  {
    name: 'a payment that was set aside is tried a little too late',
    search: "where('retry_at', '<=', now)",
    replace: "where('retry_at', '<', now)",
  },
  {
    name: 'what a failed settlement wrote stays',
    search: '    await sql`rollback to savepoint credit`.execute(tx)\n    await',
    replace: '    if (hitsEveryone(error)) await sql`rollback to savepoint credit`.execute(tx)\n    await',
  },
  {
    name: 'the second half is not tried',
    search: 'return before + (await creditOrIsolate(tx, deps, payments.slice(half), now, failures))',
    replace: 'return before',
  },
  {
    name: 'a settlement may leave payments out',
    search: 'dispositions.length === payments.length && byEvent.size === payments.length',
    replace: 'dispositions.length >= 0',
  },
  {
    name: 'a conflict with the ledger counts as posted',
    search: "outcome === 'posted' || (outcome === 'already' && isOwn)",
    replace: "outcome !== 'overdrawn'",
  },
  {
    name: 'an overdrawn posting counts as posted',
    search: "outcome === 'posted' || (outcome === 'already' && isOwn)",
    replace: "outcome !== 'conflict'",
  },
  {
    name: 'a repetition counts as a failure',
    search: "outcome === 'posted' || (outcome === 'already' && isOwn)",
    replace: "outcome === 'posted'",
  },
  { name: 'postings may have any id', search: '    checkIds(payment, disposition)\n', replace: '' },
  {
    name: 'a settlement without a posting counts',
    search: 'assert(postings.length > 0,',
    replace: 'assert(postings.length >= 0,',
  },
  {
    name: 'a failing payment is tried every minute',
    search: 'MINUTE_MS * 2 ** Math.min(before.failures, 6)',
    replace: 'MINUTE_MS * 2 ** Math.min(before.failures, 0)',
  },
  { name: 'failures are not counted', search: 'failures: before.failures + 1', replace: 'failures: before.failures' },
])

const confirmations = inFile('server/src/chain/crediting/confirmations.ts', [
  {
    name: 'a payment of unknown worth is small',
    search: 'worth_usdt === null || worth_usdt >',
    replace: 'worth_usdt !== null && worth_usdt >',
  },
  {
    name: 'exactly the limit is large',
    search: 'worth_usdt > rule.largeAbove',
    replace: 'worth_usdt >= rule.largeAbove',
  },
])

const node = [
  ...inFile('server/src/chain/client.ts', [
    { name: 'a contract chooses what is requested', search: 'ccipRead: false', replace: 'ccipRead: undefined' },
    { name: 'the head is kept for a while', search: 'cacheTime: 0', replace: 'cacheTime: 60_000' },
  ]),
  ...inFile('server/src/chain/node/send-calls.ts', [
    { name: 'a redirect is followed', search: "redirect: 'error'", replace: "redirect: 'follow'" },
    {
      name: 'a node on another chain is believed',
      search: 'if (found !== chainId) throw',
      replace: 'if (found === 0) throw',
    },
    {
      name: 'the chain of one answer stands for the next ones',
      search: 'await post([chainCall, ...calls])',
      replace: 'await post(calls)',
    },
    {
      name: 'a node that takes no batches is not asked for its chain',
      search: '    assertChain(answers[0], options)\n',
      replace: '',
    },
    {
      name: 'a refused batch is sent again unchanged',
      search: 'inParts(calls, half)',
      replace: 'inParts(calls, calls.length)',
    },
    {
      name: 'a node that refuses everything is taken for one that takes no batches',
      search: "    if ('tooMany' in found) {\n",
      replace: "    if ('tooMany' in found) {\n      batch.refused(calls.length + 1)\n",
    },
    { name: 'the form of results is not checked', search: '    checkResult(call, result)\n', replace: '' },
    {
      name: 'a node that was asked too often is asked again at once and for ever',
      search: 'attempt === ATTEMPTS_WHEN_LIMITED',
      replace: 'attempt === 0',
    },
    {
      name: 'a password of the URL is sent nowhere',
      search: 'authorization: `Basic',
      replace: 'other: `Basic',
    },
  ]),
  ...inFile('server/src/chain/node/read-answers.ts', [
    {
      name: 'an answer is handed out by its place',
      search: "const index = typeof id === 'number' ? open.get(id) : undefined",
      replace: 'const index: number | undefined = answers.length',
    },
    {
      name: 'an answer that is missing is none',
      search: '  if (missing !== undefined)\n    throw',
      replace: '  if (missing === -1)\n    throw',
    },
    {
      name: 'of two answers to one call the last one counts',
      search: '    open.delete(id as number)\n',
      replace: '    if (calls.length === answers.length) open.clear()\n',
    },
    {
      name: 'an answer with result and error is a result',
      search: "  if (result !== undefined && result !== null) throw badAnswer('an answer with both",
      replace: "  if (result === 0) throw badAnswer('an answer with both",
    },
    {
      name: 'an answer with neither is a result',
      search: "if (result === undefined) throw badAnswer('an answer with neither",
      replace: "if (result === 0) throw badAnswer('an answer with neither",
    },
    {
      name: 'a batch of answers may stand for one',
      search: 'if (isBatch !== Array.isArray(parsed))',
      replace: 'if (isBatch && !Array.isArray(parsed))',
    },
    {
      name: 'a limit of a second is taken for a limit on batches',
      search: '(isAboutBatch(words) || !isLimit(code, words))',
      replace: '(code !== 0 || isAboutBatch(words))',
    },
  ]),
  ...inFile('server/src/chain/node/check-result.ts', [
    {
      name: 'a number may be anything',
      search: 'const quantity: Check = (result) => isQuantity(result)',
      replace: 'const quantity: Check = (result) => result !== undefined',
    },
    {
      name: 'the code of a contract may be null',
      search: 'const data: Check = (result) => isData(result)',
      replace: 'const data: Check = (result) => result !== undefined',
    },
  ]),
  ...inFile('server/src/chain/node/learned-limit.ts', [
    {
      name: 'what was refused is asked for again at once',
      search: 'const isNear = refusedAt - borne <= Math.max(1, borne >> 3)',
      replace: 'const isNear = refusedAt - borne <= 0',
    },
    {
      name: 'a limit that has fallen is not followed',
      search: '      if (borne >= refusedAt) borne = 0\n',
      replace: '',
    },
    {
      name: 'a limit is never tried again',
      search: 'uses > TRIED_AGAIN_AFTER',
      replace: 'uses > 1_000_000',
    },
  ]),
  ...inFile('server/src/chain/signer.ts', [
    { name: 'transactions are signed for any chain', search: 'chainId: CHAIN_ID,\n        nonce', replace: 'nonce' },
    { name: 'a key with too few digits is read', search: '/^0x[0-9a-fA-F]{64}$/', replace: '/^0x[0-9a-fA-F]{1,64}$/' },
    {
      name: 'the message names the key',
      search: 'throw new BadKey(`${name} is not a private key: 0x',
      replace: 'throw new BadKey(`${name} is not a private key ${text}: 0x',
    },
  ]),
  ...inFile('server/src/chain/signature/ask-contract.ts', [
    {
      name: 'any answer of a contract is a yes',
      search: 'return answer.data === ACCEPTED',
      replace: 'return answer.data !== undefined',
    },
    {
      name: 'half of the nodes accept a signature',
      search: 'if (2 * same.length > counted.length) return answer',
      replace: 'if (2 * same.length >= counted.length) return answer',
    },
    {
      name: 'a node that has left the count accepts signatures',
      search: 'nodes.filter(({ health }) => health().counts)',
      replace: 'nodes.filter(() => true)',
    },
    {
      name: 'a node that does not answer says no',
      search: '    throw error\n  }\n}',
      replace: '    return false\n  }\n}',
    },
    {
      name: 'an address without code may accept',
      search: 'if (parts.factory === undefined) return false\n',
      replace: 'if (parts.factory === undefined) return true\n',
    },
  ]),
]

export const chainMutations: readonly Mutation[] = [
  ...followMutations,
  ...credit,
  ...confirmations,
  ...priceMutations,
  ...node,
]
