import { inFile, type Mutation } from '../mutation.ts'
import { payoutMutations } from './withdraw-payout.ts'

const terms = [
  ...inFile('server/src/modules/withdraw/terms.ts', [
    {
      name: 'a minimum may be all fee',
      search: 'minimum > fee ? minimum : fee + 1n',
      replace: 'minimum > fee ? minimum : fee',
    },
    {
      name: 'what is left of a limit goes below zero',
      search: 'limit > used ? limit - used : 0n',
      replace: 'limit - used',
    },
    {
      name: 'a worth is rounded down against a limit',
      search: 'mulDivUp(amount, price, WHOLE_UNIT)',
      replace: 'mulDiv(amount, price, WHOLE_UNIT)',
    },
    {
      name: 'one operator is enough for any amount',
      search: 'if (unseen.byLessThanTwo + worth > limits.two) return 2',
      replace: 'if (unseen.byLessThanTwo + worth > limits.two) return 1',
    },
    { name: 'exactly the limit is reviewed', search: 'worth > limits.review ||', replace: 'worth >= limits.review ||' },
    {
      name: 'a flagged member is paid at once',
      search: 'worth > limits.review || isReviewed ? 1 : 0',
      replace: 'worth > limits.review ? 1 : 0',
    },
    {
      name: 'many small withdrawals pass the limit that one does not',
      search: 'return unseen.byNobody + worth',
      replace: 'return worth',
    },
    {
      name: 'many withdrawals that one operator looked at pass the limit where two have to',
      search: 'if (unseen.byLessThanTwo + worth',
      replace: 'if (worth',
    },
    {
      name: 'the month never begins anew',
      search: 'month: new Date(Date.UTC(year, month, 1))',
      replace: 'month: new Date(Date.UTC(year, 0, 1))',
    },
  ]),
  ...inFile('server/src/modules/withdraw/postings.ts', [
    {
      name: 'the fee is not set aside',
      search: 'credit: held(withdrawal), amount: withdrawal.amount }',
      replace: 'credit: held(withdrawal), amount: withdrawal.amount - withdrawal.fee }',
    },
    {
      name: 'the fee is kept when money is given back',
      search: 'credit: available(withdrawal), amount: withdrawal.amount }',
      replace: 'credit: available(withdrawal), amount: withdrawal.amount - withdrawal.fee }',
    },
    {
      name: 'a payout takes what is available',
      search: 'const paid = { debit: held(withdrawal)',
      replace: 'const paid = { debit: available(withdrawal)',
    },
    {
      name: 'the fee of a payout is not posted',
      search: 'legs: fee > 0n ? [paid, kept]',
      replace: 'legs: fee < 0n ? [paid, kept]',
    },
    {
      name: 'hold and release have one id',
      search: "idOf(withdrawal, 'hold')",
      replace: "idOf(withdrawal, 'release')",
    },
    {
      name: 'money can be given back once whole and once less the fee',
      search: "idOf(withdrawal, 'release'),\n    kind: 'withdrawal-reverted'",
      replace: "idOf(withdrawal, 'hold'),\n    kind: 'withdrawal-reverted'",
    },
    {
      name: 'the fee of a reverted payment is given back',
      search: 'legs: fee > 0n ? [returned, gasPaid] : [returned]',
      replace: 'legs: [{ ...returned, amount: payoutAmount + fee }]',
    },
    {
      name: 'the fee of a reverted payment stays on hold',
      search: 'legs: fee > 0n ? [returned, gasPaid] : [returned]',
      replace: 'legs: fee < 0n ? [returned, gasPaid] : [returned]',
    },
  ]),
]

const apply = [
  ...inFile('server/src/modules/withdraw/apply.ts', [
    { name: 'calls of one member do not take turns', search: '\n    .forNoKeyUpdate()', replace: '' },
    {
      name: 'withdrawals are taken while they are paused',
      search: 'if ((await readPauseReason(tx, now)) !== null) throw new AppError(codes.withdrawalsPaused)\n',
      replace: '',
    },
    {
      name: 'less than the minimum is paid out',
      search: 'if (amount < minimum) throw',
      replace: 'if (amount < 0n) throw',
    },
    {
      name: 'another fee than the shown one is taken',
      search: 'if (shownFee !== undefined && shownFee !== fromBaseUnits(fee))',
      replace: 'if (shownFee !== undefined && shownFee !== fromBaseUnits(fee) && amount < 0n)',
    },
    {
      name: 'a member may have any number under way',
      search: 'if (open.length >= limit) throw',
      replace: 'if (open.length > limit + 1_000) throw',
    },
    { name: 'the month has no limit', search: "of ['day', 'month'] as", replace: "of ['day', 'day'] as" },
    { name: 'the day has no limit', search: "of ['day', 'month'] as", replace: "of ['month', 'month'] as" },
    {
      name: 'exactly what is left is refused',
      search: 'if (worth <= left) continue',
      replace: 'if (worth < left) continue',
    },
    {
      name: 'without a price nothing is counted',
      search: 'if (price === null) throw new AppError(codes.pricePaused, { asset })\n',
      replace: 'if (price === null) return { worth: 0n, isPaused: false }\n',
    },
    {
      name: 'nobody looks at a withdrawal whose price is paused',
      search: 'causeWhenAsked(evidence, isPaused)',
      replace: 'causeWhenAsked(evidence, false)',
    },
    {
      name: 'the request id of a withdrawal is not claimed',
      search: 'await runIdempotent(tx, call, () => openWithdrawal(tx, deps, input, { memberId, now }))',
      replace: 'await openWithdrawal(tx, deps, input, { memberId, now })',
    },
  ]),
  ...inFile('server/src/modules/withdraw/wait/old-money.ts', [
    {
      name: 'money that came in today is old',
      search: 'if (worth < least) least = worth',
      replace: 'if (worth > least) least = worth',
    },
    { name: 'fresh money is taken first', search: 'mulDivUp(payout, worth - old, worth)', replace: 'payout' },
    { name: 'fresh money has the whole cap', search: '(cap * BigInt(percent)) / 100n', replace: 'cap' },
    {
      name: 'the share of fresh money never comes back',
      search: 'return use.used > back ? use.used - back : 0n',
      replace: 'return back < 0n ? 0n : use.used',
    },
    { name: 'a transfer makes money old', search: "\n  'transfer',", replace: '' },
    {
      name: 'fresh money that was paid is not counted',
      search: 'await readFreshUse(tx, asset), now) + amount',
      replace: 'await readFreshUse(tx, asset), now)',
    },
  ]),
  ...inFile('server/src/modules/withdraw/read-unseen.ts', [
    {
      name: 'what an operator looks at counts with what nobody does',
      search: 'filter (where approvals = 0)',
      replace: 'filter (where approvals >= 0)',
    },
    {
      name: 'withdrawals of long ago count for a review',
      search: ' and created_at > ${new Date(now.getTime() - DAY_MS)}',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/withdraw/end-price-reviews.ts', [
    {
      name: 'a paused price ends reviews',
      search: 'if (price === null || price.isPaused) continue',
      replace: 'if (price === null) continue',
    },
    {
      name: 'a price that is back ends every review',
      search: "if (row?.state !== 'review' || row.reason !== 'pricePaused') return false\n",
      replace: 'if (row === undefined) return false\n',
    },
    {
      name: 'what waited for a price is paid whatever it is worth',
      search: 'if (approvals > 0) return false\n',
      replace: '',
    },
    {
      name: 'a withdrawal counts twice when its price is back',
      search: 'readUnseen(tx, memberId, now, id)',
      replace: 'readUnseen(tx, memberId, now)',
    },
  ]),
  ...inFile('server/src/modules/withdraw/insert-withdrawal.ts', [
    { name: 'nothing is set aside', search: '  await post(tx, holdPosting(terms, now))\n', replace: '' },
    {
      name: 'nobody is reviewed',
      search: "asked.approvals > 0 ? 'review' : 'queued'",
      replace: "asked.approvals > 2 ? 'review' : 'queued'",
    },
  ]),
  ...inFile('server/src/modules/withdraw/quote.ts', [
    {
      name: 'yesterday’s withdrawals count for today',
      search: 'filter (where created_at >= ${periods.day})',
      replace: 'filter (where created_at >= ${periods.month})',
    },
    { name: 'what was given back counts', search: " and state not in ('rejected', 'failed')", replace: '' },
    {
      name: 'withdrawals of everybody count',
      search: 'where member_id = ${memberId} and created_at',
      replace: 'where created_at',
    },
  ]),
  ...inFile('server/src/modules/withdraw/evidence.ts', [
    { name: 'every payment flags its payer', search: 'where orphaned and action', replace: 'where action' },
    {
      name: 'payments that reverted long ago count',
      search: '\n          and changed_at >= ${revertedSince(now)}) as reverted',
      replace: ') as reverted',
    },
    {
      name: 'reverted payments to everybody count',
      search: "where member_id = ${memberId} and state = 'failed'",
      replace: "where state = 'failed'",
    },
    { name: 'one reverted payment asks for a review', search: 'MAX_REVERTED = 2', replace: 'MAX_REVERTED = 1' },
    { name: 'three payments may revert before a review', search: 'MAX_REVERTED = 2', replace: 'MAX_REVERTED = 3' },
    {
      name: 'a vanished payment that operators have seen asks again',
      search: 'orphaned > seen.orphaned',
      replace: 'orphaned > 0',
    },
    {
      name: 'reverted payments that operators have seen ask again',
      search: ' && reverted > seen.reverted',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/withdraw/review.ts', [
    {
      name: 'what is not in review is approved',
      search: "if (row.state !== 'review') return 'notInReview'\n",
      replace: '',
    },
    {
      name: 'one operator who signs twice is two operators',
      search: '[...new Set(operators)]',
      replace: '[...operators]',
    },
    { name: 'the first approval is enough', search: 'names.length < row.approvals', replace: 'names.length < 1' },
    {
      name: 'what operators have seen is not kept',
      search: 'seen_reverted: seen.reverted',
      replace: 'seen_reverted: 0 * seen.reverted',
    },
    {
      name: 'what was signed is rejected',
      search: "row.state !== 'review' && row.state !== 'queued'",
      replace: "row.state !== 'review' && row.state !== 'queued' && row.state !== 'sending'",
    },
  ]),
  ...inFile('server/src/modules/withdraw/change-state.ts', [
    {
      name: 'a rejected withdrawal keeps the money',
      search: '  await post(tx, releasePosting(postedOf(row), now))\n',
      replace: '',
    },
  ]),
]

const takingBack = inFile('server/src/modules/withdraw/cancel.ts', [
  {
    name: 'what was signed is taken back',
    search: "row.state !== 'review' && row.state !== 'queued'",
    replace: "row.state !== 'review' && row.state !== 'queued' && row.state !== 'sending'",
  },
  { name: 'what is in review is not taken back', search: "row.state !== 'review' && ", replace: '' },
  { name: 'anybody takes it back', search: "    .where('member_id', '=', memberId)\n", replace: '' },
  { name: 'it is taken back while it is signed', search: '    .forUpdate()\n', replace: '' },
  { name: 'taking back has no limit a day', search: ' isFree: true,', replace: '' },
  { name: 'what its owner took back seems rejected', search: '{ taken_back_at: now }', replace: '{}' },
])

const caps = [
  ...inFile('server/src/modules/withdraw/apply.ts', [
    {
      name: 'more than the contract ever pays is taken',
      search: 'cap !== null && amount - fee > cap',
      replace: 'false',
    },
    { name: 'the fee counts against the cap', search: 'amount - fee > cap', replace: 'amount > cap' },
  ]),
  ...inFile('server/src/modules/withdraw/contract-caps.ts', [
    { name: 'a changed cap is not kept', search: "cap: excluded.ref('excluded.cap'),", replace: '' },
  ]),
  ...inFile('server/src/modules/withdraw/wait/expected-time.ts', [
    {
      name: 'the whole cap is waited for',
      search: 'ahead.amount + amount - cap.left',
      replace: 'ahead.amount + amount',
    },
    {
      name: 'what is ahead is not waited for',
      search: 'ahead.amount + amount - cap.left',
      replace: 'amount - cap.left',
    },
    {
      name: 'fresh money waits for no share',
      search: 'shareUsed + ahead.fresh + fresh - share',
      replace: 'fresh - share',
    },
  ]),
]

const schema = inFile('server/src/db/migrations/0050_withdrawal.sql', [
  {
    name: 'money may go to another address',
    search: ',\n  foreign key (member_id, to_address) references member (id, address)\n',
    replace: '\n',
  },
  {
    name: 'a withdrawal that is over lives again',
    search: "if old.state in ('done', 'rejected', 'failed') and",
    replace: "if old.state in ('rejected', 'failed') and",
  },
  {
    name: 'a withdrawal may change its nonce',
    search: 'if old.nonce is not null and',
    replace: 'if old.nonce is null and',
  },
  {
    name: 'signed transactions can be deleted',
    search: 'before delete or truncate on payout_transaction',
    replace: 'before truncate on payout_transaction',
  },
])

export const withdrawMutations: readonly Mutation[] = [
  ...terms,
  ...apply,
  ...takingBack,
  ...caps,
  ...payoutMutations,
  ...schema,
]
