import { endpoints } from '@candela/protocol/endpoints'
import type { Described, Texts } from './described.ts'

const detail = endpoints['GET lending/detail'].data.shape
const loan = detail.loan.shape

export const lines: Texts = {
  initialRate: 'The highest mortgage rate at which money is lent or collateral released, a fraction: "0.5" is 50 %.',
  safetyLine: 'Mortgage rate from which on there is a margin call, a fraction.',
  clearingLine: 'Mortgage rate from which on collateral is sold, a fraction.',
}

export const loanNo = 'The loan’s number.'
export const loanAfter = 'The loan as it stands.'

/** Projects and loans. */
export const lending: Described = {
  schemas: {
    CollateralPrice: {
      schema: loan.safety.shape.price.unwrap(),
      text: 'A price of a collateral with those that it was chosen from. USDT per whole unit, rounded down.',
      properties: {
        asset: 'The asset that the price is of.',
        used: 'The price that counts: for new debt the lowest of those below that are not null; of a loan’s safety the median of 5 minutes.',
        spot: 'Spot price at `blockNumber`.',
        average:
          'For new debt the average of 30 minutes, weighted by time; of a loan’s safety the median of 5 minutes.',
        dayAverage: 'Average of 24 hours; null where it does not count.',
        weekAverage: 'Average of 7 days; null where it does not count, as in leveraged loans.',
        pair: 'The pair contract.',
        blockNumber: 'The block of the last observation.',
        observedAt: 'When that block was made.',
      },
    },
    Safety: {
      schema: loan.safety,
      text: 'How far a loan is from its lines now.',
      properties: {
        mortgageRate:
          '⌊debt × 10^6 ÷ (collateral × price)⌋ millionths as a fraction, with debt = principal + interest + charges. Null while the price is unknown or too old, or without collateral.',
        status:
          'safe below the safety line, warning from it on, liquidating from the clearing line on, compared without rounding. Null while the price is unknown or nothing is owed.',
        price: 'The price that it is computed with; null while it is unknown or too old.',
        safetyPrice:
          '⌊debt ÷ (collateral × safetyLine)⌋ in base units, USDT per whole unit: at this price and below it the line is reached. Null without collateral.',
        liquidationPrice:
          '⌊debt ÷ (collateral × clearingLine)⌋ in base units, USDT per whole unit. Null without collateral.',
      },
    },
    Charges: {
      schema: detail.terms,
      text: 'Terms of a loan besides rate and lines. A loan keeps those that it was made with.',
      properties: {
        lateRate:
          'Late charge for a day, a fraction of the overdue amount, counted from the due date once the days of grace are over: ⌈overdue × lateRate × days⌉.',
        graceDays: 'Days after a due date without a late charge.',
        defaultDays:
          'So many days after an unpaid due date the collateral is sold. A leveraged loan is closed already on the first day after its grace.',
        liquidationFee: 'Fee of a liquidation, a fraction of what it repays, for the reserve.',
        fullBelow: 'A debt below it is liquidated as a whole, USDT.',
        installmentFee: 'Handling fee of each installment, USDT.',
      },
    },
    Project: {
      schema: endpoints['GET project/detail'].data.shape.project,
      text: 'A loan product.',
      properties: {
        projectNo: 'Its number.',
        name: 'Its name.',
        information: 'What it is.',
        picture: 'Where browsers load its picture from; null for none.',
        collateralAsset: 'The asset that secures its loans.',
        total: 'The most that it lends in all, USDT.',
        borrowed: 'Principal lent now, USDT.',
        available:
          'What can be borrowed now: the least of what is left of the project, of the fund’s idle money, and below the ceiling. USDT, not below 0.',
        ceiling: 'Bounds of all loans on the collateral, of every project and leveraged.',
        'ceiling.depth':
          'The pair held at least as much USDT in nine tenths of the last 7 days; null while it is not observed.',
        'ceiling.observedSince': 'Since when the pair is observed; null while it is not.',
        'ceiling.all':
          'The most principal of all members: ⌊depth × setting `debtCeilingBps` ÷ 10,000⌋ in base units, USDT; 0 while the pair is too young.',
        'ceiling.member':
          'The most principal of one member: ⌊all × setting `debtMemberBps` ÷ 10,000⌋ in base units, USDT.',
        'ceiling.owed': 'Principal of all members now, USDT.',
        rate: 'Interest a year, a fraction.',
        ...lines,
        minLoan: 'The least loan, USDT.',
        termDays: 'Terms to choose from, in days.',
        interestEarned: 'Interest charged on its loans so far, USDT.',
        charges: 'Terms of a loan that is made now.',
        open: 'False once it lends nothing more.',
        createdAt: 'When it was made.',
      },
    },
    Due: {
      schema: detail.dues.element,
      text: 'An amount of a loan that is due on a day. A loan without installments has one.',
      properties: {
        number: 'Its place, from 1.',
        dueOn: 'The day until whose end it can be paid without being late.',
        amount:
          'Interest and principal, USDT, without the fee. Null for all that is left then; fixed when the day is over.',
        paid: 'Paid of the amount, USDT.',
        fee: 'Its handling fee, USDT.',
        feePaid: 'Paid of the fee, USDT.',
        overdue: 'True when its day is over and something of it is unpaid.',
      },
    },
    Loan: {
      schema: detail.loan,
      text: 'A loan as it stands today, charged up to today. Amounts are USDT but for the collateral.',
      properties: {
        loanNo,
        kind: 'project: an ordinary loan. lever: a leveraged loan.',
        projectNo: 'Its project; null for a leveraged loan.',
        projectName: 'The project’s name; null for a leveraged loan.',
        state:
          'active; installment: paid by installments; overdue: a due date is over and unpaid; liquidating: sold in parts; repaid, liquidated, written-off: ended.',
        lent: 'Principal at the beginning.',
        collateralAsset: 'The asset that secures it.',
        collateral: 'Locked for it, in whole units of `collateralAsset`, exact.',
        rate: 'Interest a year, a fraction. Of a day: ⌈principal × rate ÷ 365⌉ in base units, at the principal that the day before ended with.',
        ...lines,
        principal: 'Principal owed.',
        interest: 'Interest owed, with that of today.',
        charges: 'Late charges owed.',
        payoff:
          'What ends the loan today: principal + interest + charges + handling fees whose day has come. 0 once it has ended.',
        principalRepaid: 'The part of `lent` that was repaid, by payments or sales.',
        principalWrittenOff: 'The part of `lent` that nothing was left to pay for.',
        openedOn: 'The UTC day on which it was made. One day’s interest is owed from then on.',
        dueOn: 'The day of its last due amount.',
        installments: 'Null without installments.',
        'installments.count': 'How many there are.',
        'installments.paid': 'How many are paid wholly, with their fees.',
        'installments.payment': 'The amount of the first one, without its fee.',
        next: 'What has to be paid next; null when nothing is owed.',
        'next.number': 'The place of the due amount, from 1.',
        'next.dueOn': 'Its day.',
        'next.amount':
          'At most the pay-off: late charges + handling fees whose day has come + its own fee + what is unpaid of its amount.',
        safety: 'How far it is from its lines.',
        lever: 'Of a leveraged loan; else null.',
        'lever.margin': 'The member’s own money.',
        'lever.ratio': '(margin + lent) ÷ margin, with one decimal.',
        'lever.bought': 'What was bought and locked, in whole units of `collateralAsset`.',
        'lever.buyPrice': 'USDT per whole unit that the desk took.',
        createdAt: 'When it was made.',
        closedAt: 'When it ended; null before.',
      },
    },
    LoanEntry: {
      schema: endpoints['GET lending/entries'].data.shape.items.element,
      text: 'One change of one part of a loan. All lines of a part add up to what is owed of it, or to the collateral.',
      properties: {
        id: 'Names the line.',
        kind: 'What happened, by the names of the ledger.',
        label: 'The kind and the part in LANG, for people.',
        part: 'What has changed.',
        amount:
          'The change: above zero when debt or collateral grew. USDT; of collateral whole units of the asset. Exact.',
        balance: 'The part after the line.',
        day: 'The UTC day that interest or a late charge is of; of a correction the day of the block. Null otherwise.',
        txHash: 'The payment on chain; null for none.',
        bookedAt: 'When it was recorded: orders the lines and carries `balance`.',
        at: 'The value date: when it happened, for a payment on chain the time of its block.',
      },
    },
    Liquidation: {
      schema: detail.liquidations.element,
      text: 'A sale of collateral with every figure that it is computed from, as they were before it.',
      properties: {
        liquidationNo: 'Its number.',
        loanNo,
        reason: 'line: the clearing line was reached. default: unpaid for too long. term: a leveraged loan has ended.',
        full: 'True when the whole debt was to be repaid: reason is not line, the debt is below `fullBelow`, or the rate is at clearing line ÷ 0.95 or above. Else half of it, rounded up.',
        collateralAsset: 'The asset that was sold.',
        principal: 'Owed before, USDT.',
        interest: 'Owed before, USDT.',
        charges: 'Late charges owed before, USDT.',
        collateral: 'Locked before, in whole units of the asset.',
        mortgageRate:
          'Before, by `watchPrice`, rounded down to millionths; null when the collateral was worth nothing.',
        clearingLine: 'The loan’s clearing line, a fraction.',
        watchPrice:
          'USDT per whole unit that decided about the line: `median5`; where that is null the higher of `spot` and `average5`.',
        salePrice:
          'USDT per whole unit that the desk paid: the lowest of `average30`, `averageDay` and the greater of `spot` and ⌊median5 × 0.9⌋. Where `median5` is null, the lower of `spot` and `average30`.',
        spot: 'Spot price at `blockNumber`, USDT per whole unit.',
        average5: 'Average of 5 minutes, USDT per whole unit.',
        median5: 'Median of the prices of 5 minutes, each weighted by how long it lasted. Null in older reports.',
        average30: 'Average of 30 minutes, USDT per whole unit.',
        averageDay: 'Average of 24 hours, USDT per whole unit. Null in older reports.',
        pair: 'The pair contract.',
        blockNumber: 'The block of the last observation.',
        observedAt: 'When that block was made.',
        windowBlocks:
          'Blocks of the observations with which the averages begin; all end with `blockNumber`. An average is the difference of the pair’s cumulative prices ÷ the seconds between the blocks. Null where that was not kept.',
        'windowBlocks.minutes5': 'Of `average5` and `median5`.',
        'windowBlocks.minutes30': 'Of `average30`.',
        'windowBlocks.day': 'Of `averageDay`.',
        deskUsdt: 'What the desk could pay in this look, USDT.',
        sold: '⌈proceeds ÷ salePrice⌉ in base units, or all of the collateral. Whole units of the asset.',
        proceeds:
          'repaid + fee: the least of what is wanted, what the collateral is worth (rounded down), and `deskUsdt`. USDT.',
        repaid: 'The part of the debt that is wanted; when the proceeds are less, ⌊proceeds ÷ (1 + feeRate)⌋. USDT.',
        feeRate: 'A fraction of what is repaid.',
        fee: 'For the reserve: ⌈wanted × feeRate⌉; when the proceeds are less, proceeds − repaid. USDT.',
        returned: 'Collateral given back because nothing is owed any more, whole units.',
        shortfall: 'Debt that no collateral is left for, USDT.',
        reservePaid: 'The part of the shortfall that the reserve paid, USDT.',
        fundLost: 'The part of the shortfall that the fund lost, USDT.',
        incomplete: 'True when the desk could not pay all: the rest is sold in a later look.',
        at: 'When it was done.',
      },
    },
  },
  endpoints: {
    'GET project/list': { data: { items: 'The projects.' } },
    'GET project/detail': { input: { projectNo: 'The project’s number.' }, data: { project: 'The project.' } },
    'GET lending/orders': {
      input: { open: '1: only loans that are open. 0: only loans that have ended. Absent: all.' },
      data: { items: 'The loans, newest first.' },
    },
    'GET lending/detail': {
      input: { loanNo },
      data: {
        loan: loanAfter,
        terms: 'Its terms.',
        dues: 'Its due amounts, in the order of their days.',
        liquidations: 'Its liquidations, newest first, at most 100.',
        releasable:
          'Collateral that can be released now, whole units: collateral − ⌈debt ÷ (price × initialRate)⌉ in base units, not below 0. Null while the price is paused.',
      },
    },
    'GET lending/entries': { input: { loanNo }, data: { items: 'The lines, newest first.' } },
    'GET lending/quote': {
      input: {
        projectNo: 'The project.',
        amount: 'The amount to borrow, above zero, USDT.',
        collateral:
          'What is to be locked, above zero, in whole units of the collateral; absent: the least that is needed.',
        days: 'The term in days.',
      },
      data: {
        amount: 'The amount to borrow, USDT.',
        collateralNeeded: '⌈amount ÷ (price × initialRate)⌉ in base units; whole units of the collateral.',
        collateral: 'What the figures below are computed with, whole units.',
        collateralAvailable: 'What the caller has available of it, whole units.',
        price: 'The price at which it counts.',
        rate: 'Interest a year, a fraction.',
        interestPerDay: '⌈amount × rate ÷ 365⌉ in base units, USDT.',
        interest: 'interestPerDay × days, USDT.',
        repayment: 'amount + interest, USDT.',
        dueOn: 'The UTC day of today + days.',
        mortgageRate: '⌊(amount + interestPerDay) × 10^6 ÷ (collateral × price)⌋ millionths as a fraction.',
        safetyPrice: '⌊(amount + interestPerDay) ÷ (collateral × safetyLine)⌋ in base units, USDT per whole unit.',
        liquidationPrice:
          '⌊(amount + interestPerDay) ÷ (collateral × clearingLine)⌋ in base units, USDT per whole unit.',
        fall: 'How far the price may fall until then, a fraction: ⌊(price − liquidationPrice) × 10^6 ÷ price⌋ millionths.',
      },
    },
    'POST lending/borrow': {
      input: {
        projectNo: 'The project.',
        amount: 'The amount to borrow, above zero, USDT.',
        collateral: 'What is locked, above zero, in whole units of the collateral.',
        days: 'The term in days.',
      },
      data: { loan: loanAfter },
    },
    'GET lending/payoff': {
      input: { loanNo },
      data: {
        loanNo,
        payoff: 'What ends the loan today: principal + interest + charges + fees. USDT.',
        next: 'What settles the next due amount, as `next.amount` of the loan. USDT.',
        principal: 'Owed, USDT.',
        interest: 'Owed, with that of today, USDT.',
        charges: 'Late charges owed, USDT.',
        fees: 'Handling fees whose day has come, USDT.',
        perDay: 'Interest of another day: ⌈principal × rate ÷ 365⌉ in base units, USDT.',
        payoffNextDay: 'What ends the loan tomorrow, with what is charged and falls due until then, USDT.',
        available: 'What the caller has available, USDT.',
        expiresAt: 'Until when a payment, or the block that has it, must come: the end of the UTC day.',
      },
    },
    'GET lending/transaction': {
      input: { loanNo, amount: 'The amount to pay, above zero, USDT.' },
      data: { transaction: 'The transaction that pays it.' },
    },
    'POST lending/repay': {
      input: {
        loanNo,
        mode: 'next: the next due amount. full: everything. amount: a part.',
        amount:
          'In mode amount what is paid. Else it may be absent; without `maxAmount` it is the most that is paid: when it is more by now, 4204 and nothing is paid. Above zero, USDT.',
        maxAmount:
          'In modes next and full the most that is paid: when it is more by now, 4210 and nothing is paid. USDT.',
      },
      data: {
        loan: loanAfter,
        paid: 'Taken from the balance, USDT.',
        parts: 'What it paid, in this order.',
        'parts.charges': 'Late charges, USDT.',
        'parts.fees': 'Handling fees, USDT.',
        'parts.interest': 'Interest, USDT.',
        'parts.principal': 'Principal, USDT.',
      },
    },
    'GET lending/schedule': {
      input: { loanNo, count: 'How many installments.' },
      data: {
        principal: 'Owed now, USDT.',
        interest: 'Owed now and due with the first installment, USDT.',
        rate: 'Interest a year, a fraction.',
        from: 'Today. The installments are due one month apart, the first a month later; a month without the day has its last.',
        interestThrough: 'Interest is charged up to this day.',
        installments:
          'The plan, if each is paid on its day. The equal payment is the least base unit for which the last is no larger.',
        'installments.number': 'Its place, from 1.',
        'installments.dueOn': 'Its day.',
        'installments.payment': 'Interest and principal, USDT.',
        'installments.interest': 'Interest of the days until then at the principal left, each day rounded up, USDT.',
        'installments.principal': 'payment − interest, USDT.',
        'installments.fee': 'Handling fee, USDT.',
        'installments.left': 'Principal left after it, USDT.',
        totalInterest: 'All interest, USDT.',
        totalFees: 'All fees, USDT.',
        total: 'All payments and fees, USDT.',
      },
    },
    'POST lending/installment': { input: { loanNo, count: 'How many installments.' }, data: { loan: loanAfter } },
    'POST lending/addCollateral': {
      input: { loanNo, amount: 'What is locked more, above zero, in whole units of the collateral.' },
      data: { loan: loanAfter },
    },
    'POST lending/releaseCollateral': {
      input: { loanNo, amount: 'What is given back, above zero, in whole units of the collateral.' },
      data: { loan: loanAfter },
    },
  },
}
