import { inFile, type Mutation } from '../../mutation.ts'
import { collateralMutations } from './collateral.ts'

const computing = [
  ...inFile('protocol/lending/advance.ts', [
    {
      name: 'a late charge is rounded down',
      search: 'mulDivUp(overdue, late_ppm',
      replace: 'mulDiv(overdue, late_ppm',
    },
    {
      name: 'late charges begin within the days of grace',
      search: 'daysBetween(due.dueOn, day) <= graceDays',
      replace: 'daysBetween(due.dueOn, day) < graceDays',
    },
    {
      name: 'late charges begin when the days of grace are over',
      search: 'const from = due.lateThrough ?? due.dueOn',
      replace: 'const from = due.lateThrough ?? addDays(due.dueOn, graceDays)',
    },
    {
      name: 'a loan is in default a day late',
      search: '>= loan.terms.defaultDays',
      replace: '> loan.terms.defaultDays',
    },
  ]).map((mutation) =>
    mutation.name === 'a late charge is rounded down'
      ? {
          ...mutation,
          more: [
            {
              file: mutation.file,
              search: "import { mulDivUp } from '../money/money.ts'",
              replace: "import { mulDiv } from '../money/money.ts'",
            },
          ],
        }
      : mutation,
  ),
  ...inFile('protocol/lending/interest.ts', [
    {
      name: 'the reserve’s part of each amount is rounded by itself',
      search: '((before + amount) * reserve_ppm) / PPM - (before * reserve_ppm) / PPM',
      replace: '(amount * reserve_ppm) / PPM',
    },
    { name: 'a year has 360 days', search: 'DAYS_OF_A_YEAR = 365n', replace: 'DAYS_OF_A_YEAR = 360n' },
  ]),
  ...inFile('protocol/fund/fund.ts', [
    {
      name: 'who moves in does not pay for pending interest',
      search: 'shares === 0n ? assets : assets + pending',
      replace: 'shares === 0n ? assets + pending : assets',
    },
    {
      name: 'shares for what is paid out are rounded down',
      search: 'return mulDivUp(amount, redemption.shares, redemption.assets)',
      replace: 'return mulDiv(amount, redemption.shares, redemption.assets)',
    },
    {
      name: 'virtual assets are paid out after a deficit',
      search: 'assets < shares ? { assets, shares } :',
      replace: 'assets < 0n ? { assets, shares } :',
    },
  ]),
  ...inFile('protocol/lending/liquidation.ts', [
    { name: 'a default is liquidated by half', search: "reason !== 'line' || total", replace: 'total' },
    { name: 'half of a debt is rounded down', search: '(total + 1n) / 2n', replace: 'total / 2n' },
    {
      name: 'collateral is sold for the fee alone',
      search: 'repays(deskUsdt) === 0n ? 0n : deskUsdt',
      replace: 'deskUsdt',
    },
    {
      name: 'the desk pays more than it has',
      search: '[wanted, worth, desk]',
      replace: '[wanted, worth]',
    },
  ]),
  ...inFile('protocol/lending/lines.ts', [
    { name: 'a line is reached only beyond it', search: 'WHOLE_UNIT >= line_ppm', replace: 'WHOLE_UNIT > line_ppm' },
  ]),
  ...inFile('server/src/modules/lending/loan/repay/repay.ts', [
    {
      name: 'more is paid than may be',
      search: 'maxAmount !== undefined && needed > maxAmount',
      replace: 'maxAmount === 0n && needed > maxAmount',
    },
  ]),
  ...inFile('protocol/lending/repayment.ts', [
    {
      name: 'handling fees that have come due are no part of the pay-off',
      search: 'totalOf(debt) + feesDue(dues, today)',
      replace: 'totalOf(debt) + feesDue(dues, today) - feesDue(dues, today)',
    },
    {
      name: 'principal is paid before interest',
      search: 'const interest = min(counted, debt.interest)\n  const principal = counted - interest',
      replace: 'const principal = min(counted, debt.principal)\n  const interest = counted - principal',
    },
  ]),
]

const loans = [
  ...inFile('server/src/modules/lending/loan/record/change-loan.ts', [
    {
      name: 'a closed loan can be changed',
      search: 'if (before.row.closed_at !== null) throw new AppError(codes.loanState)\n',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/borrow/borrow.ts', [
    {
      name: 'a member may have any number of loans',
      search: '  await requireFewLoans(tx, memberId, settings)\n',
      replace: '',
    },
    {
      name: 'collateral is not asked for',
      search: '  requireSecured(project,',
      replace: '  if (amount < 0n) requireSecured(project,',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/borrow/quote.ts', [
    {
      name: 'a closed project lends',
      search: '  if (project.closed_at !== null) throw new AppError(codes.projectClosed)\n',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/collateral/change-collateral.ts', [
    {
      name: 'collateral of a late loan is released',
      search: ' || (next !== undefined && next.dueOn < today)',
      replace: '',
    },
    { name: 'collateral that is needed is released', search: 'if (input.amount > most)', replace: 'if (most < 0n)' },
  ]),
  ...inFile('server/src/modules/lending/loan/repay/repay.ts', [
    {
      name: 'more is taken than was shown',
      search:
        '  if (maxAmount === undefined && amount !== undefined && needed > amount) throw new AppError(codes.priceMoved)\n',
      replace: '',
    },
    {
      name: 'more is taken than the member allows',
      search: 'if (maxAmount !== undefined && needed > maxAmount) {',
      replace: 'if (maxAmount !== undefined && needed > maxAmount && maxAmount < 0n) {',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/repay/settle-repayments.ts', [
    {
      name: 'a payment that was counted before is counted again',
      search: 'if (before.length > 0) {',
      replace: 'if (before.length > 2) {',
    },
    {
      name: 'payments in any asset repay',
      search: "payment.asset === 'USDT' ? loans.get(payment.reference) : undefined",
      replace: 'loans.get(payment.reference)',
    },
  ]),
]

const fundAndLever = [
  ...inFile('server/src/modules/fund/transfer-out.ts', [
    {
      name: 'more is paid out than the shares are worth',
      search: 'if (amount > worth || amount === 0n)',
      replace: 'if (amount === 0n)',
    },
  ]),
  ...inFile('server/src/modules/fund/close-day.ts', [
    {
      name: 'a day of the fund is closed twice',
      search: '  if (closed !== undefined) return false\n',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/fund/unowned-interest.ts', [
    {
      name: 'interest of nobody raises the price of a share',
      search: 'if (fund.shares > 0n || amount <= 0n) return fund',
      replace: 'if (fund.shares >= 0n || amount <= 0n) return fund',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/audit-interest.ts', [
    {
      name: 'interest is never recomputed',
      search: '=== row.interest_charged) continue\n    const recomputed',
      replace: '>= 0n) continue\n    const recomputed',
    },
    {
      name: 'of many repayments only the first are read',
      search: 'after = next.length < page ? undefined : next.at(-1)?.posting',
      replace: 'after = undefined',
    },
    {
      name: 'a payment that is dated before its loan ends the audit of all loans',
      search: '  if (changes.some(({ principal }) => principal < 0n)) return null\n',
      replace: '',
    },
    {
      name: 'a loan of which more was repaid than lent ends the audit of all loans',
      search: '    if (principal < 0n) return `nothing: more was repaid than lent before posting ${posting}`\n',
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/fund/postings.ts', [
    {
      name: 'the fund bears a deficit before the reserve',
      search: 'const reservePaid = fundPart < reserve ? fundPart : reserve',
      replace: 'const reservePaid = fundPart < reserve ? 0n : 0n * reserve',
    },
    {
      name: 'the fund loses more than it has',
      search: 'fromAssets: fundLost < assets ? fundLost : assets',
      replace: 'fromAssets: fundLost',
    },
  ]),
  ...inFile('server/src/modules/fund/bear-deficit.ts', [
    {
      name: 'a fall of the share price is not recorded',
      search: 'if (fromAssets > 0n) {',
      replace: 'if (fromAssets < 0n) {',
    },
  ]),
]

export const lendingMutations: readonly Mutation[] = [...computing, ...loans, ...fundAndLever, ...collateralMutations]
