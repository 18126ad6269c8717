import { inFile, type Mutation } from '../../mutation.ts'

export const nodesMutations: readonly Mutation[] = [
  ...inFile('server/src/chain/nodes/vote.ts', [
    { name: 'half of the nodes are enough', search: '> counted) return', replace: '>= counted) return' },
    { name: 'one answer is enough', search: '2 * (others.length + 1) > counted', replace: 'counted > 0' },
    {
      name: 'a contradiction is taken for silence',
      search: "same.size > 1 ? 'disputed'",
      replace: "same.size > 9 ? 'disputed'",
    },
  ]),
  ...inFile('server/src/chain/nodes/health.ts', [
    {
      name: 'of two nodes the one that is behind counts for ever',
      search: '2 * well >= conditions.length',
      replace: '2 * well > conditions.length',
    },
    {
      name: 'two nodes leave because a third announces more',
      search: '2 * well >= conditions.length',
      replace: 'well > 0',
    },
    {
      name: 'all nodes leave',
      search: 'return found.some(({ counts }) => counts) ?',
      replace: 'return found.length > 0 ?',
    },
    { name: 'a node leaves at once', search: '>= LEAVES_AFTER_MS', replace: '>= 0' },
    { name: 'one high head makes others look behind', search: 'heads[heads.length >> 1]', replace: 'heads.at(-1)' },
  ]),
  ...inFile('server/src/chain/nodes/failover.ts', [
    {
      name: 'a revert is asked of the next node',
      search: "=== 'rejected' && !isRevert(result.reason)",
      replace: "=== 'rejected'",
    },
    {
      name: 'a signed transaction goes to one node',
      search: 'nodes.map((node) => node.send(call))',
      replace: 'nodes.slice(0, 1).map((node) => node.send(call))',
    },
    {
      name: 'a node that fails is asked first again',
      search: 'node.answered(!results.some(isFault))',
      replace: 'node.answered(true)',
    },
  ]),
  ...inFile('server/src/chain/nodes/nodes.ts', [
    {
      name: 'a node that most others contradict is still asked first',
      search: ' || isOutvoted(node, clock.now()))',
      replace: ')',
    },
  ]),
  ...inFile('server/src/chain/nodes/agree.ts', [
    {
      name: 'a node with another block votes as if it had ours',
      search: 'if (hash !== at.hash) return',
      replace: 'if (hash === undefined) return',
    },
    {
      name: 'nobody is told of a contradiction',
      search: 'if (await noteDispute(db,',
      replace: 'if (decision.name === "" && await noteDispute(db,',
    },
    {
      name: 'nobody is told of a node that is outvoted',
      search: 'textOf(answer) === textOf(agreed)) continue',
      replace: 'textOf(answer) !== undefined) continue',
    },
    {
      name: 'a node that is outvoted is told of at each decision',
      search: '      if (isKnown) continue\n',
      replace: '',
    },
    {
      name: 'nobody is told that too few nodes answer',
      search: "outcome === 'silent' && !isSilentForLong(decision.name)",
      replace: "outcome === 'silent'",
    },
    {
      name: 'any node may be ruled for',
      search: 'votes.find(({ node }) => node === ruledFor)',
      replace: 'votes.find(() => true)',
    },
  ]),
  ...inFile('server/src/chain/crediting/agree-payments.ts', [
    { name: 'a payment is agreed on with other amounts', search: '  payment.amount === row.amount &&\n', replace: '' },
    {
      name: 'silence is agreement',
      search: 'return answer?.agreed ?? null',
      replace: 'return answer?.agreed ?? []',
    },
    {
      name: 'what most nodes do not have is kept',
      search: 'if (isDenied) {',
      replace: 'if (isDenied && row.id < 0n) {',
    },
  ]),
  ...inFile('server/src/chain/crediting/credit-payments.ts', [
    {
      name: 'payments are credited before the nodes agree',
      search: '(not (${mustAgree}::boolean or e.is_rescanned) or e.agreed_hash = e.block_hash)',
      replace: '(not (${mustAgree}::boolean and e.is_rescanned) or e.agreed_hash = e.block_hash)',
    },
    {
      name: 'what an operator has read again counts by itself',
      search: '(not (${mustAgree}::boolean or e.is_rescanned) or e.agreed_hash = e.block_hash)',
      replace: '(not ${mustAgree}::boolean or agreed_hash = block_hash)',
    },
  ]),
  ...inFile('server/src/modules/reconcile/reconcile.ts', [
    {
      name: 'one node says what the contract holds',
      search: 'if (agree !== undefined) {',
      replace: 'if (agree !== undefined && at.number < 0n) {',
    },
  ]),
  ...inFile('server/src/jobs/compose-attest.ts', [
    {
      name: 'one node says whether the contract is in exit mode',
      search: 'const askNodes = agree ?? agreeAlone(client)',
      replace: 'const askNodes = agree === undefined ? agreeAlone(client) : agreeAlone(client)',
    },
  ]),
  ...inFile('server/src/chain/payout/read-nonces.ts', [
    {
      name: 'the first node says from which nonce to sign',
      search: 'if (nonces.nonceNow <= ours) return nonces',
      replace: 'return nonces',
    },
    {
      name: 'nonces are taken from the first node although others say otherwise',
      search: 'return again.agreed\n',
      replace: 'return nonces\n',
    },
  ]),
  ...inFile('server/src/chain/price/observe-prices.ts', [
    {
      name: 'the first node of several says the price',
      search: 'deps.most === undefined ? observeNewest(deps)',
      replace: 'deps.db !== undefined ? observeNewest(deps)',
    },
    {
      name: 'a node that goes back takes the day’s prices back',
      search: 'number <= (await lastObserved(db))',
      replace: 'number < 0n',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/lost/end-dead-payouts.ts', [
    {
      name: 'what one node says has used a nonce is believed for ever',
      search: "if (dead !== 'wait' || known.at.number > blocks.final.number) return without(dead)",
      replace: 'return without(dead)',
    },
    {
      name: 'the first node says whether a nonce is used',
      search: '(node) => node.nonceAt(finalState, payer))',
      replace: '() => deps.chain.nonceAt(finalState, payer))',
    },
  ]),
]
