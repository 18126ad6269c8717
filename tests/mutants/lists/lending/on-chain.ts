import { inFile, type Mutation } from '../../mutation.ts'

/** Payments on chain that count from their blocks. */
export const onChainMutations: readonly Mutation[] = [
  ...inFile('server/src/modules/lending/loan/record/recount.ts', [
    {
      name: 'a payment counts from the day of its crediting',
      search: 'const day = utcDay(payment.at)',
      replace: 'const day = loan.row.interest_through',
    },
    {
      name: 'a step at the instant of the block comes after the payment',
      search: 'filter(({ at }) => at <= payment.at)',
      replace: 'filter(({ at }) => at < payment.at)',
    },
    {
      name: 'what was done since is forgotten',
      search: 'for (const step of steps.slice(kept))',
      replace: 'for (const step of steps.slice(steps.length))',
    },
    {
      name: 'dust on chain repays a loan',
      search: "if (isDust('USDT', payment.amount) &&",
      replace: "if (isDust('USDT', payment.amount + WHOLE_UNIT) &&",
      more: [
        {
          file: 'server/src/modules/lending/loan/record/recount.ts',
          search: 'import { MINUTE_MS } from',
          replace: 'import { MINUTE_MS, WHOLE_UNIT } from',
        },
      ],
    },
    { name: 'a residue is forgiven at any time', search: ' || !isSoon) return null', replace: ') return null' },
    {
      name: 'any residue is forgiven',
      search: 'left === 0n || left > dayOfIt ||',
      replace: 'left === 0n ||',
    },
    {
      name: 'a residue is forgiven that the reserve cannot pay',
      search: ' || left > reserve ||',
      replace: ' ||',
    },
    {
      name: 'a later sale repays more than is owed',
      search: 'const repaid = sumOf(done.parts) < totalOf(debt) ? sumOf(done.parts) : totalOf(debt)',
      replace: 'const repaid = sumOf(done.parts)',
    },
    {
      name: 'a later change into installments is left out',
      search: "const isOver = done.kind === 'opened' ||",
      replace: "const isOver = done.kind !== 'payment' ||",
    },
  ]),
  ...inFile('server/src/modules/lending/loan/repay/settle-repayments.ts', [
    {
      name: 'a loan that was closed since the block is not computed again',
      search: '(closed_at is null or (closed_at > ${first} and',
      replace: '(closed_at is null or (closed_at < ${first} and',
    },
    {
      name: 'what is paid too much since the block stays',
      search: '...payments.flatMap(({ at: time, money }, nth) => correct(`money:${nth}`, money, time)),',
      replace: '',
    },
    {
      name: 'what was charged too much stays',
      search: "...correct('charges', charges, now),",
      replace: '',
    },
    {
      name: 'a standstill gives no time back to borrowers',
      search: 'const at = countedAt(standstills, payment.blockAt)',
      replace: 'const at = payment.blockAt',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/repay/settle-repayments.ts', [
    {
      name: 'the fund bears nothing that the reserve has passed on',
      search: '...(last.afterwards ?? []), ...borne]',
      replace: '...(last.afterwards ?? [])]',
    },
    {
      name: 'a payment that was counted before counts again',
      search: 'if (before.length > 0) {',
      replace: 'if (before.length > 9) {',
    },
    {
      name: 'another asset repays a loan',
      search: "payment.asset === 'USDT' ? loans.get(payment.reference) : undefined",
      replace: 'loans.get(payment.reference)',
    },
    {
      name: 'a surplus is the borrower’s whoever paid',
      search: 'members.get(payment.payer) ?? named?.before.row.member_id ?? 0n',
      replace: 'named?.before.row.member_id ?? members.get(payment.payer) ?? 0n',
    },
    {
      name: 'of several payments of a loan each counts by itself',
      search:
        'loans.set(payment.reference, { ...named, loan: ended.loan, steps: counted.steps, charged: [], isRepaid: true })',
      replace: 'loans.set(payment.reference, { ...named, isRepaid: true })',
    },
    {
      name: 'the reserve forgives with what it has given before',
      search: 'if (debit === RESERVE) reserve -= taken',
      replace: 'if (debit === RESERVE) reserve -= taken - taken',
    },
    {
      name: 'a written-off loan is paid',
      search: "closed_at > ${first} and state <> 'written-off')",
      replace: 'closed_at > ${first})',
      more: [
        {
          file: 'server/src/modules/lending/loan/repay/settle-repayments.ts',
          search: "if (state === 'written-off') continue\n",
          replace: '',
        },
      ],
    },
    {
      name: 'an open loan is not charged up to today first',
      search: 'closed_at === null ? chargeStep(before, to, now) : unchanged(before)',
      replace: 'unchanged(before)',
    },
    {
      name: 'a loan is charged up to today although its payment is of a later day',
      search: 'const to = [utcDay(now), ...days].toSorted().at(-1) ?? utcDay(now)',
      replace: 'const to = days.length === 0 ? utcDay(now) : utcDay(now)',
    },
    {
      name: 'a surplus goes nowhere',
      search: 'postings: rest > 0n ? [repayment, surplus] : [repayment]',
      replace: 'postings: [repayment]',
    },
    {
      name: 'money goes back before it is there',
      search:
        'alongside: [...alongside, ...payments.flatMap(({ at: time, debt }, nth) => correct(`debt:${nth}`, debt, time))]',
      replace: 'alongside: [...alongside]',
    },
    {
      name: 'what is forgiven is not posted',
      search: '...(waived.length > 0 ? [waiver] : []),',
      replace: '',
    },
    {
      name: 'the collateral of a loan that is repaid stays',
      search: '      ...ended.postings,\n',
      replace: '',
    },
    {
      name: 'nobody is told that a loan is repaid',
      search: 'await notify(tx, ...notices)',
      replace: 'await notify(tx)',
    },
    {
      name: 'the history of a loan is not written',
      search: 'steps.filter((step) => !past.includes(step)),',
      replace: 'steps.filter((step) => past.includes(step)),',
    },
    {
      name: 'money for no loan is lost',
      search: 'unmatched.length === 0 ? [] : await settleReceipts(tx, unmatched, now)',
      replace: 'unmatched.length >= 0 ? [] : await settleReceipts(tx, unmatched, now)',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/record/store.ts', [
    {
      name: 'installments that never were stay',
      search: 'if (loan.dues.length >= before.dues.length) continue',
      replace: 'if (loan.dues.length >= 0) continue',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/repay/bound-by-reserve.ts', [
    {
      name: 'the reserve gives back what it does not have',
      search: 'if (left >= 0n) return [leg]',
      replace: 'if (lacking >= 0n) return [leg]',
    },
    {
      name: 'the reserve gives back nothing where it has too little',
      search: '{ ...leg, amount: leg.amount - missing },\n        { ...leg, debit: DEFICIT, amount: missing },',
      replace: '{ ...leg, debit: DEFICIT, amount: leg.amount },',
    },
    {
      name: 'what comes into the reserve with the payment is not counted',
      search: 'let left = reserve + sumOf(dispositions.flatMap(({ postings }) => postings))',
      replace: 'let left = reserve',
    },
  ]),
  ...inFile('server/src/modules/fund/bear-returned.ts', [
    {
      name: 'a fall of the price is not recorded where interest goes back',
      search: 'assets_after: assets - amount,',
      replace: 'assets_after: assets,',
    },
    {
      name: 'two falls of the price begin at the same',
      search: '    assets -= amount\n',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/paid-on-chain.ts', [
    {
      name: 'a default is sold before a block of its day is followed',
      search: 'const day = seen === null || seen > today ? today : seen',
      replace: 'const day = today',
    },
    {
      name: 'a default is sold while crediting is halted',
      search: 'head.at === null || head.isHalted ? null',
      replace: 'head.at === null ? null',
    },
    {
      name: 'a default is sold at once after a standstill',
      search: 'seen === null || goesOnAgain ?',
      replace: 'seen === null ?',
    },
    {
      name: 'what is on the way keeps no sale away',
      search: 'after.get(loan.row.id) ?? loan',
      replace: 'loan',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/watch/liquidate-step.ts', [
    {
      name: 'what is on the way is sold for',
      search: 'planned(less(debt, onTheWay))',
      replace: 'planned(debt)',
    },
    {
      name: 'collateral goes back before the rest is credited',
      search: 'closed ? found : { ...found, returned: 0n }',
      replace: 'found',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/close-lending.ts', [
    {
      name: 'interest counts while crediting is halted',
      search: 'head.isHalted || head.at === null ||',
      replace: 'head.at === null ||',
    },
    {
      name: 'interest counts of a day of which blocks are missing',
      search: ' || head.at < startOfDay(addDays(day, 1))) return null',
      replace: ') return null',
    },
    {
      name: 'interest counts that a payment may take back',
      search: "return must(rows[0], 'a sum is one row').amount",
      replace: "return must(rows[0], 'a sum is one row').amount * 0n",
    },
  ]),
  ...inFile('server/src/modules/lending/loan/daily/is-charged.ts', [
    {
      name: 'the fund is entered while a day is not charged',
      search: 'last.day >= day &&',
      replace: "last.day >= '2000-01-01' &&",
    },
  ]),
  ...inFile('server/src/chain/follow/standstill.ts', [
    {
      name: 'a standstill gives its time back for ever',
      search: 'since_ms >= 0 && since_ms < lengthOf(stood)',
      replace: 'since_ms >= 0',
    },
  ]),
]
