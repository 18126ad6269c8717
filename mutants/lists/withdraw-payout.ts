import { inFile, type Mutation } from '../mutation.ts'

const signing = inFile('server/src/modules/withdraw/payout/sign-payout.ts', [
  {
    name: 'a withdrawal that another worker signed is signed again',
    search: "if (row?.state !== 'queued') return null\n",
    replace: 'if (row === undefined) return null\n',
  },
  {
    name: 'the payer’s row is not locked',
    search: "    .where('address', '=', address)\n    .forUpdate()",
    replace: "    .where('address', '=', address)",
  },
  {
    name: 'the chain’s nonce is used before it is final',
    search: 'nonceFinal !== null && nonceFinal >= nonceNow ? nonceNow : null',
    replace: 'nonceNow',
  },
  {
    name: 'our count of nonces is used although the chain is ahead',
    search: 'if (nonceNow <= ours) return ours',
    replace: 'if (nonceNow >= 0n) return ours',
  },
  {
    name: 'payouts are signed while they are paused',
    search: "if (await deps.isPaused(tx)) return wait('paused', 'the books",
    replace: "if (row.nonce !== null) return wait('paused', 'the books",
  },
  {
    name: 'any gas price is paid',
    search: 'if (gasPrice > BigInt(payoutGasPriceGwei) * GWEI)',
    replace: 'if (gasPrice < 0n)',
  },
  {
    name: 'a payer without gas signs',
    search: 'if (simulation.gasBalance < inFlight.gasCost',
    replace: 'if (simulation.gasBalance < 0n * inFlight.gasCost - 1n',
  },
  {
    name: 'what is under way is not counted against the day’s cap',
    search: 'simulation.leftToday < inFlight.amount + row.payout_amount',
    replace: 'simulation.leftToday < row.payout_amount',
  },
  { name: 'a paused contract gives the money back', search: "    case 'EnforcedPause':\n", replace: '' },
  {
    name: 'a recipient that refuses is waited for',
    search: "return { kind: 'fail', reason: 'recipient',",
    replace: "return { kind: 'wait', reason: 'paused',",
  },
  { name: 'a refused payment is signed', search: '    case null:\n', replace: "    case null:\n    case '':\n" },
  { name: 'every payout has the same nonce', search: 'next_nonce: nonce + 1n', replace: 'next_nonce: nonce' },
  {
    name: 'a waiting withdrawal is tried at once',
    search: "where('try_at', '<=', clock.now())",
    replace: "where('try_at', 'is not', null)",
  },
])

const ending = [
  ...inFile('server/src/modules/withdraw/payout/end-dead-payouts.ts', [
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
      search: 'await chain.nonceAt(final, payer)',
      replace: 'await chain.nonceAt(tip, payer)',
    },
    {
      name: 'money is given back twice',
      search: "if (row?.state !== 'sending') return false",
      replace: 'if (row === undefined) return false',
    },
    {
      name: 'money is given back although the followed blocks changed meanwhile',
      search: 'if (cursor?.followed_hash !== tipHash) return false\n',
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

export const payoutMutations: readonly Mutation[] = [...signing, ...ending]
