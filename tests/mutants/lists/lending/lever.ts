import { inFile, type Mutation } from '../../mutation.ts'

/** How leveraged positions are opened and closed. */
export const leverMutations: readonly Mutation[] = [
  ...inFile('server/src/modules/lending/lever/plan-close.ts', [
    {
      name: 'a position that is safe is closed at a paused price',
      search: 'if (price.paused && !isDueAt(marginPrice(price))) throw',
      replace: 'if (price.paused && !isDueAt(0n)) throw',
    },
    {
      name: 'a position that could be liquidated cannot be closed at a paused price',
      search: 'if (price.paused && !isDueAt(marginPrice(price))) throw',
      replace: 'if (price.paused) throw',
    },
    {
      name: 'all of a position is sold outside of the desk’s hour',
      search: 'needed < amount ? needed : amount',
      replace: 'needed < amount ? amount : amount',
    },
    {
      name: 'outside of the hour the desk pays more than in a liquidation',
      search: 'const used = salePrice(price)',
      replace: 'const used = price.paused ? salePrice(price) : lowerPrice(price)',
    },
  ]),
  ...inFile('server/src/modules/lending/lever/positions.ts', [
    {
      name: 'less is bought than was agreed to',
      search: '  if (terms.bought < input.minBought) throw new AppError(codes.priceMoved)\n',
      replace: '',
    },
    { name: 'a position above its safety line is opened unasked', search: ' && input.acceptWarning)', replace: ')' },
    {
      name: 'a position is sold for less than was agreed to',
      search: '    if (plan.worth < minProceeds) throw new AppError(codes.priceMoved)\n',
      replace: '',
    },
    {
      name: 'leveraged loans do not count in the desk’s hour',
      search: '  await takeFromHour(tx, flow, terms.total,',
      replace: '  if (terms.total < 0n) await takeFromHour(tx, flow, terms.total,',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/lever/lever-loan.ts', [
    {
      name: 'a part is closed that does not pay its debt',
      search: '    if (proceeds + own < due) throw new AppError(codes.overCreditLimit)\n',
      replace: '',
    },
    {
      name: 'any loan can be closed at the desk',
      search: "    if (loan.row.kind !== 'lever') throw new AppError(codes.loanState)\n",
      replace: '',
    },
  ]),
  ...inFile('server/src/modules/lending/lever/positions.ts', [
    {
      name: 'who uses up the hour keeps positions from closing',
      search: 'if (isAppError(error, codes.aboveLimit)) return false\n',
      replace: '',
    },
    {
      name: 'the desk pays for a position what it does not have',
      search: 'if (plan.proceeds + plan.fee > money)',
      replace: 'if (plan.proceeds + plan.fee < 0n)',
    },
    {
      name: 'margin is added with no end',
      search: 'endpoint: adding, input, isFree: true }',
      replace: 'endpoint: adding, input }',
    },
  ]),
  ...inFile('server/src/modules/lending/lever/plan-close.ts', [
    {
      name: 'what is sold outside of the hour does not pay its debt',
      search: 'const gross = mulDivUp(due, PPM, PPM - feePpm)',
      replace: 'const gross = due + 0n * feePpm * PPM',
    },
    {
      name: 'a part is sold outside of the hour also where it fits',
      search: 'if (!price.paused && fitsHour) return',
      replace: 'if (!price.paused && fitsHour && due < 0n) return',
    },
  ]),
  ...inFile('server/src/modules/lending/lever/quote.ts', [
    {
      name: 'a margin below the least is taken',
      search: 'if (margin < minimum)',
      replace: 'if (margin < 0n * minimum)',
    },
    {
      name: 'leverage counts at the price that is bought at',
      search: 'debtPrice: leveragePrice(prices[asset])',
      replace: 'debtPrice: higherPrice(prices[asset])',
    },
    {
      name: 'the desk sells more than it has',
      search: 'if (terms.bought + terms.fee > stock)',
      replace: 'if (terms.bought + terms.fee < 0n * stock)',
    },
    {
      name: 'a quote does not know what the fund has',
      search: 'if (terms.loan > idle)',
      replace: 'if (terms.loan < 0n * idle)',
    },
    {
      name: 'a quote does not know the ceiling',
      search: 'if (terms.loan > left)',
      replace: 'if (terms.loan < 0n * left)',
    },
    {
      name: 'options name a ratio that would be liquidated',
      search: "if (terms.status !== 'liquidating') return ratio_tenths",
      replace: "if (terms.status !== 'safe') return ratio_tenths",
    },
    {
      name: 'closing is quoted as if all fitted into the hour',
      search: 'const fitsHour = !price.paused && amount <=',
      replace: 'const fitsHour = !price.paused && 0n * amount <=',
    },
  ]),
  ...inFile('server/src/modules/lending/loan/lever/lever-loan.ts', [
    {
      name: 'a part that is late cannot be closed while the price is paused',
      search: "reasonFor(loan, today) !== 'line' || isAtLine",
      replace: "reasonFor(loan, today) === 'term' && loan.row.member_id < 0n || isAtLine",
    },
    {
      name: 'the debt of a part is rounded down',
      search: 'due: mulDivUp(payoffOf(loanOf(loan), today), BigInt(percent), 100n)',
      replace: 'due: (mulDivUp(payoffOf(loanOf(loan), today), 1n, 1n) * BigInt(percent)) / 100n',
    },
    {
      name: 'the balance pays for a part',
      search: 'const own = percent === 100 ?',
      replace: 'const own = percent > 0 ?',
    },
  ]),
]
