import { inFile, type Mutation } from '../mutation.ts'

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
  ...inFile('server/src/modules/lending/loan/daily/interest-in-doubt.ts', [
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
