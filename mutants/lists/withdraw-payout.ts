import { inFile, type Mutation } from '../mutation.ts'

const signing = inFile('server/src/modules/withdraw/payout/sign-payout.ts', [
  {
    name: 'a withdrawal that another worker signed is signed again',
    search: "if (row?.state !== 'queued' || !(await hasTurn",
    replace: 'if (row === undefined || !(await hasTurn',
  },
  {
    name: 'workers at once sign more for a member than may be under way',
    search: ' || !(await hasTurn(tx, row.member_id))) return null',
    replace: ') return null',
  },
  {
    name: 'a queued withdrawal is not looked at again',
    search: "if (cause !== null) return { kind: 'review', reason: cause }\n",
    replace: '',
  },
  {
    name: 'payments are tried without the gas price that they offer',
    search: '{ gas: PAYOUT_GAS, gasPrice })\n',
    replace: '{ gas: PAYOUT_GAS, gasPrice: 0n })\n',
  },
  {
    name: 'more is paid than the contract holds',
    search: 'simulation.held < inFlight.amount + row.payout_amount',
    replace: 'simulation.held < row.payout_amount',
  },
  {
    name: 'a reverted payment counts as under way',
    search: ' and w.nonce >= ${nonceNow} and not exists',
    replace: ' and not exists',
  },
  {
    name: 'payouts are signed while they are paused',
    search: "if (pauseReason !== null) return wait('paused', pauseReason)",
    replace: "if (pauseReason === '') return wait('paused', pauseReason)",
  },
  {
    name: 'any gas price is paid',
    search: 'if (gasPrice > BigInt(payoutGasPriceGwei) * GWEI)',
    replace: 'if (gasPrice < 0n)',
  },
  {
    name: 'gas of payments under way is not counted',
    search: 'simulation.gasBalance < inFlight.gasCost + PAYOUT_GAS * gasPrice',
    replace: 'simulation.gasBalance < PAYOUT_GAS * gasPrice',
  },
  {
    name: 'what is under way is not counted against the day’s cap',
    search: 'simulation.leftOfCap < inFlight.amount + row.payout_amount',
    replace: 'simulation.leftOfCap < row.payout_amount',
  },
  {
    name: 'a paused contract gives the money back',
    search: 'if (isCausedByRecipient(refusal))',
    replace: "if (isCausedByRecipient(refusal) || refusal === 'EnforcedPause')",
  },
  {
    name: 'a recipient that refuses is waited for',
    search: "return { kind: 'fail', reason: 'recipient',",
    replace: "return { kind: 'wait', reason: 'paused',",
  },
  {
    name: 'a refused payment is signed',
    search: 'if (refusal === null) return null',
    replace: "if (refusal === null || refusal === '') return null",
  },
])

const nonces = inFile('server/src/modules/withdraw/payout/payer-nonce.ts', [
  {
    name: 'a payer whose key was given up signs',
    search: 'if (revoked_at !== null) return',
    replace: "if (revoked_at !== null && address === '') return",
  },
  {
    name: 'the payer’s row is not locked',
    search: "    .where('address', '=', address)\n    .forUpdate()",
    replace: "    .where('address', '=', address)",
  },
  {
    name: 'the chain’s nonce is used before it is final',
    search: 'nonceFinal !== null && nonceFinal >= nonceNow ? nonceNow : { refused: FOREIGN_USE }',
    replace: 'nonceNow',
  },
  {
    name: 'our count of nonces is used although the chain is ahead',
    search: 'if (nonceNow <= ours) return ours',
    replace: 'if (nonceNow >= 0n) return ours',
  },
  { name: 'every payout has the same nonce', search: 'next_nonce: nonce + 1n', replace: 'next_nonce: nonce' },
])

const turns = [
  ...inFile('server/src/modules/withdraw/payout/next-due.ts', [
    {
      name: 'a waiting withdrawal is tried at once',
      search: 'w.try_at <= ${now})',
      replace: 'w.try_at is not null)',
    },
    {
      name: 'three payments of a member may be under way',
      search: 'MAX_IN_FLIGHT_PER_MEMBER = 2',
      replace: 'MAX_IN_FLIGHT_PER_MEMBER = 3',
    },
    {
      name: 'a member whose turn is over holds up the others',
      search: '\n      and coalesce(f.payments, 0) < ${MAX_IN_FLIGHT_PER_MEMBER}',
      replace: '',
    },
    {
      name: 'members whose payments revert come as early as others',
      search: 'order by coalesce(r.payments, 0), coalesce(f.payments, 0), w.id',
      replace: 'order by coalesce(f.payments, 0), w.id',
    },
    {
      name: 'a long list of one member goes first',
      search: 'order by coalesce(r.payments, 0), coalesce(f.payments, 0), w.id',
      replace: 'order by coalesce(r.payments, 0), w.id',
    },
  ]),
  ...inFile('server/src/chain/payout/payout-chain.ts', [
    {
      name: 'a trial payment offers no gas price',
      search: 'gas: numberToHex(offer.gas), gasPrice: numberToHex(offer.gasPrice)',
      replace: 'gas: numberToHex(offer.gas)',
    },
  ]),
  ...inFile('server/src/modules/reconcile/reconcile.ts', [
    {
      name: 'a payout that is not ours pauses nothing',
      search: 'differs || foreign.length > 0',
      replace: 'differs',
    },
  ]),
  ...inFile('server/src/modules/withdraw/payout/lost/explain-payout.ts', [
    {
      name: 'a loss that is booked is booked again',
      search: '!isBooked && amount > 0n',
      replace: 'amount > 0n',
    },
  ]),
  ...inFile('server/src/modules/reconcile/pause.ts', [
    {
      name: 'a payout that is not ours pauses nothing before a comparison',
      search: 'if (await hasForeignPayout(db)) return',
      replace: 'if ((await hasForeignPayout(db)) && false) return',
    },
    {
      name: 'payouts go on long after the last comparison',
      search: 'if (age_s !== null && age_s <= reconcileMaxAgeMinutes * 60)',
      replace: 'if (age_s !== null && age_s <= reconcileMaxAgeMinutes * 6_000)',
    },
    {
      name: 'a comparison with an old block is new',
      search: 'block_at !== null && block_at < at ? block_at : at',
      replace: 'block_at !== null && block_at < at ? at : at',
    },
    {
      name: 'a comparison that found a difference lets payouts go on',
      search: "\n    .where('agrees', '=', true)",
      replace: '',
    },
    {
      name: 'payouts go on although the audit has found something',
      search: "if (await hasOpenFindings(db)) return 'the audit of the ledger found something'\n",
      replace: '',
    },
    {
      name: 'payouts go on although crediting is halted',
      search: "if (cursor !== undefined && cursor.halted_reason !== null) return 'crediting is halted'\n",
      replace: '',
    },
  ]),
]

const ending = [
  ...inFile('server/src/modules/withdraw/payout/lost/end-dead-payouts.ts', [
    {
      name: 'money is given back although the contract has paid',
      search: 'if (await chain.isPaid(tip, one.payout_id))',
      replace: 'if ((await chain.isPaid(tip, one.payout_id)) && one.nonce < 0n)',
    },
    {
      name: 'a nonce that is not used yet counts as dead',
      search: 'nonce < (used.get(payer) ?? 0n)',
      replace: 'nonce <= (used.get(payer) ?? 0n)',
    },
    {
      name: 'a nonce counts as used before it is final',
      search: 'await chain.nonceAt(finalState, payer)',
      replace: 'await chain.nonceAt(tip, payer)',
    },
    {
      name: 'money is given back twice',
      search: "if (row?.state !== 'sending') return false",
      replace: 'if (row === undefined) return false',
    },
    {
      name: 'that the nonce is used is enough',
      search: "(await isPayerReplaced(deps, one, followed)) ? { reason: 'unpaid', txHash: null } : 'undecided'",
      replace: "{ reason: 'unpaid', txHash: null }",
    },
    {
      name: 'a foreign transaction counts before its block is final',
      search: 'const isFinal = use.at.number <= followed.final.number',
      replace: 'const isFinal = use.at.number <= followed.tip.number',
    },
    {
      name: 'a foreign transaction counts without its receipt',
      search: 'return receipt?.at.hash === use.at.hash ?',
      replace: 'return isFinal ?',
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
  ...inFile('server/src/modules/withdraw/payout/replace-payouts.ts', [
    { name: 'a replacement offers a ninth more', search: '(old * 9n + 7n) / 8n', replace: '(old * 10n + 8n) / 9n' },
    { name: 'a replacement is rounded down', search: '(old * 9n + 7n) / 8n', replace: '(old * 9n) / 8n' },
    {
      name: 'a replacement may cost more than allowed',
      search: 'return price > maxPrice ? maxPrice : price',
      replace: 'return price',
    },
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

export const payoutMutations: readonly Mutation[] = [...signing, ...nonces, ...turns, ...ending]
