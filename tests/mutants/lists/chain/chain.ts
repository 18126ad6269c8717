import { inFile, type Mutation } from '../../mutation.ts'
import { followMutations } from './follow.ts'

const credit = inFile('server/src/chain/crediting/credit-payments.ts', [
  {
    name: 'a payment counts one block too early',
    search: 'u.block_number + e.confirmations_needed - 1 <=',
    replace: 'u.block_number + e.confirmations_needed - 2 <=',
  },
  {
    name: 'a payment counts one block too late',
    search: 'u.block_number + e.confirmations_needed - 1 <=',
    replace: 'u.block_number + e.confirmations_needed <=',
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
    search: "where('e.retry_at', '<=', now)",
    replace: "where('e.retry_at', 'is not', null)",
  },
  {
    name: 'a payment that was set aside is tried a little too late',
    search: "where('e.retry_at', '<=', now)",
    replace: "where('e.retry_at', '<', now)",
  },
  {
    name: 'what a failed settlement wrote stays',
    search: '    await sql`rollback to savepoint credit`.execute(tx)\n    await',
    replace: '    if (hitsEveryone(error)) await sql`rollback to savepoint credit`.execute(tx)\n    await',
  },
  {
    name: 'the second half is not tried',
    search: 'return before + (await creditOrIsolate(tx, settle, payments.slice(half), now, failures))',
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

const signed = [
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

export const chainMutations: readonly Mutation[] = [...followMutations, ...credit, ...confirmations, ...signed]
