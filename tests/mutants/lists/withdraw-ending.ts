import { inFile, type Mutation } from '../mutation.ts'

/** How payouts are sent, replaced, settled and given up. */
export const payoutEndMutations: readonly Mutation[] = [
  ...inFile('server/src/modules/withdraw/payout/lost/end-dead-payouts.ts', [
    {
      name: 'what has used a nonce is not kept',
      search: 'if (use !== null) await keepNonceUse',
      replace: 'if (use === undefined) await keepNonceUse',
    },
    {
      name: 'a payout of which more may be known later is ended',
      search: "if (dead === 'wait' || dead === 'unused') continue",
      replace: "if (dead === 'unused') continue",
    },
    {
      name: 'another payer counts at a state that is not final',
      search: 'if (finalState.number > final.number) return false\n',
      replace: '',
    },
    {
      name: 'money is given back although a block that is followed pays it',
      search: 'if (paid !== undefined) return false\n',
      replace: '',
    },
    {
      name: 'an operator is told each minute',
      search: 'if (one.last_failure === UNDECIDED) return\n',
      replace: '',
    },
    {
      name: 'a payout that a followed block pays is asked about',
      search: ' and not ${isPaidOnChain}',
      replace: '',
    },
    {
      name: 'an empty transaction of ours pays',
      search: ' and not is_empty',
      replace: '',
    },
    {
      name: 'the fee is kept whatever the cause',
      search: "if (unpaid.reason === 'reverted')",
      replace: 'if (unpaid.reason !== null)',
    },
    {
      name: 'a payout is ended without a final block',
      search: 'if (final === null || finalState === null) return 0',
      replace: 'if (finalState === null) return 0',
    },
    {
      name: 'money is given back although the contract has paid',
      search: 'if (await deps.chain.isPaid(blocks.tip, one.payout_id))',
      replace: 'if ((await deps.chain.isPaid(blocks.tip, one.payout_id)) && one.nonce < 0n)',
    },
    {
      name: 'a nonce that is not used yet counts as dead',
      search: 'nonce < (used.get(payer) ?? 0n)',
      replace: 'nonce <= (used.get(payer) ?? 0n)',
      more: [
        {
          file: 'server/src/modules/withdraw/payout/lost/end-dead-payouts.ts',
          search: '<= one.nonce) return',
          replace: '< one.nonce) return',
        },
      ],
    },
    {
      name: 'a nonce counts as used before it is final',
      search: 'node.nonceAt(finalState, payer)',
      replace: 'node.nonceAt(tip, payer)',
      more: [
        {
          file: 'server/src/modules/withdraw/payout/lost/end-dead-payouts.ts',
          search: 'deps.chain.nonceAt(blocks.finalState, one.payer)',
          replace: 'deps.chain.nonceAt(blocks.tip, one.payer)',
        },
      ],
    },
    {
      name: 'money is given back twice',
      search: "if (row?.state !== 'sending') return false",
      replace: 'if (row === undefined) return false',
    },
    {
      name: 'that the nonce is used is enough',
      search: "(await isPayerReplaced(deps, one, blocks)) ? { reason: 'unpaid', txHash: null } : 'undecided'",
      replace: "{ reason: 'unpaid', txHash: null }",
    },
    {
      name: 'a foreign transaction counts before its block is final',
      search: 'use.at.number <= final.number ? await chain.receipt(use.txHash) : null',
      replace: 'await chain.receipt(use.txHash)',
    },
    {
      name: 'a foreign transaction counts without its receipt',
      search: 'return receipt?.at.hash === use.at.hash ?',
      replace: 'return use.at.number <= final.number ?',
    },
    {
      name: 'our own transaction counts as foreign',
      search: "if (one.transactions.some(({ hash }) => hash === use.txHash)) return 'wait'\n",
      replace: '',
    },
    {
      name: 'another payer counts before it is final',
      search: 'for (const at of [finalState, tip])',
      replace: 'for (const at of [tip])',
    },
    {
      name: 'another payer counts although the first may pay again',
      search: 'for (const at of [finalState, tip])',
      replace: 'for (const at of [finalState])',
    },
    {
      name: 'another payer counts although it was paid',
      search: 'return !(await chain.isPaid(finalState, one.payout_id))',
      replace: 'return true',
    },
    {
      name: 'what is undecided is looked at all the time',
      search: ' and (w.try_at is null or w.try_at <= ${clock.now()})',
      replace: '',
    },
    {
      name: 'money is given back although the followed blocks changed meanwhile',
      search: 'if (cursor?.followed_hash !== tipHash) return false\n',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/lost/nonce-use.ts', [
    {
      name: 'what used a nonce counts in a block that is followed no more',
      search: ".onRef('block.hash', '=', 'use.block_hash')",
      replace: '',
    },
    {
      name: 'a nonce that was used before the first kept block is found in it',
      search: 'if ((await isUsed(unused)) !== false || (await isUsed(used)) !== true) return null\n',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/lost/end-undecided.ts', [
    {
      name: 'operators end what may still be paid',
      search: '(await chain.nonceAt(state, row.payer)) <= row.nonce',
      replace: '(await chain.nonceAt(state, row.payer)) < row.nonce',
    },
    {
      name: 'operators end what was paid',
      search: 'if (await contract.isPaidAt(at, row.payout_id)) return',
      replace: "if ((await contract.isPaidAt(at, row.payout_id)) && at === 'latest' && row.nonce < 0n) return",
    },
    {
      name: 'operators end what our own transaction has used',
      search: 'if (hash === usedBy) return',
      replace: "if (hash === '') return",
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/refusals.ts', [
    {
      name: 'whatever the contract says is the recipient’s doing',
      search: '=> recipientErrors.has(refusal)',
      replace: '=> refusal.length >= 0',
    },
    {
      name: 'a recipient that refuses money is asked again for ever',
      search: "  'NativePaymentFailed',\n",
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/why-unpaid.ts', [
    {
      name: 'the fee is kept whatever made a payment revert',
      search: 'tries.some((one) => isOurCause(one, terms.amount))',
      replace: 'tries.length < 0 && tries.some((one) => isOurCause(one, terms.amount))',
    },
    {
      name: 'a payment that its recipient makes revert is free',
      search: "isOurs ? 'unpaid' : 'reverted'",
      replace: "isOurs ? 'unpaid' : 'unpaid'",
    },
    {
      name: 'a cause of ours that ended with the block is charged',
      search: '{ blocks: [parent, at], isRecent }',
      replace: '{ blocks: [at], isRecent }',
    },
    {
      name: 'a cause of ours that began in the block is charged',
      search: '{ blocks: [parent, at], isRecent }',
      replace: '{ blocks: [parent], isRecent }',
    },
    {
      name: 'a node on another branch decides who is charged',
      search: "if (parent === null && isRecent) return 'wait'\n",
      replace: '',
    },
    {
      name: 'an empty contract is the recipient’s doing',
      search: ' || held < amount || leftOfCap < amount',
      replace: ' || leftOfCap < amount',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/lost/end-lost-payouts.ts', [
    {
      name: 'a lost payer is given up before another one is final',
      search: 'if (finalState !== null && (await contract.payerAt(finalState)) !== payer) return null',
      replace: 'if (finalState !== null) return null',
    },
    {
      name: 'the payer of a lost key may pay again',
      search: '.set({ revoked_at: now })',
      replace: '.set({ revoked_at: null })',
    },
    {
      name: 'a payment of a lost payer in the newest blocks is given back',
      search: " || (await contract.isPaidAt('latest', payout_id))",
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/settle-payouts.ts', [
    { name: 'a payout to somebody else is settled', search: ' && customer === row.to_address', replace: '' },
    { name: 'a payout of another amount is settled', search: ' && amount === row.payout_amount', replace: '' },
    { name: 'a payout of another asset is settled', search: 'asset === row.asset && ', replace: '' },
    {
      name: 'a payout of a rejected withdrawal is settled',
      search: "row.state === 'sending' || row.state === 'queued' || row.state === 'done'",
      replace: "row.state !== 'review'",
    },
  ]),
  ...inFile('server/src/chain/payer/offer.ts', [
    { name: 'a replacement offers a ninth more', search: '(old * 9n + 7n) / 8n', replace: '(old * 10n + 8n) / 9n' },
    { name: 'a replacement is rounded down', search: '(old * 9n + 7n) / 8n', replace: '(old * 9n) / 8n' },
    {
      name: 'a replacement may cost more than allowed',
      search: 'return price > maxPrice ? maxPrice : price',
      replace: 'return price',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/replace-payouts.ts', [
    { name: 'two workers replace one payout', search: 'if (newest?.hash !== old.hash) return false\n', replace: '' },
    {
      name: 'payouts are replaced at once',
      search: 't.signed_at <= ${signedBefore}',
      replace: 't.signed_at >= ${signedBefore}',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/send-payouts.ts', [
    {
      name: 'a payout that a reorganisation took away is not offered again',
      search:
        "(w.state = 'sending' or w.payout_id in (\n        select reference from chain_payment where action = 'paid' and orphaned))",
      replace: "w.state = 'sending'",
    },
    {
      name: 'a payout is offered once and never again',
      search: 't.tried_at is null or t.tried_at <= ${new Date(now.getTime() - OFFER_AGAIN_MS)}',
      replace: 't.tried_at is null',
    },
    {
      name: 'the cheapest transaction is offered',
      search: 'order by gas_price desc limit 1',
      replace: 'order by gas_price limit 1',
    },
  ]),
]
