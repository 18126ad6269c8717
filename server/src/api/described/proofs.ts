import { endpoints } from '@candela/protocol/endpoints'
import { nodeData } from '@candela/protocol/proof/proof-file'
import type { Described, Texts } from './described.ts'

const info = endpoints['GET finance/info'].data.shape
const owedParts = endpoints['GET solvency/owed'].data

const comparison: Texts = {
  ageSeconds: 'Seconds since the comparison, or since its block where that is older.',
  maxAgeSeconds: 'Older than this, the figures say nothing about now.',
}

const ofAssets: Texts = { JU: 'JU.', USDT: 'USDT.', HASH: 'HASH.' }
const under = (path: string, texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${path}.${name}`, text]))

const holding: Texts = {
  shares: 'The caller’s shares, with 18 decimals.',
  total:
    'What they are worth, and what the caller would get for all of them: ⌊shares × (assets + v) ÷ (all shares + v)⌋ in base units with v = 10^9; while assets are below shares ⌊shares × assets ÷ all shares⌋. USDT.',
  yesterday:
    'Gain of the close of yesterday: worth after − worth before, each rounded down. 0 while that day is not closed. USDT.',
  cumulative: 'total + all that was moved out − all that was moved in, USDT.',
}

const fundState: Texts = {
  assets: 'What the fund has, idle and lent, USDT, exact, without interest that no close has counted.',
  shares: 'All shares, with 18 decimals.',
}

const proofTexts: Texts = {
  format: 'Always candela.proof.',
  version: '2: with a secret, from which the salt of each day follows. 1: of a day before members had one.',
  chainId: 'The chain’s id, a number.',
  gateway: 'The contract that has the attestation.',
  day: 'The attested UTC day.',
  block: 'Payments up to this block are in it.',
  ledgerSequence: 'The last posting of the ledger that is in it, a decimal text.',
  root: 'The root of the tree.',
  leaf: 'The member’s leaf.',
  'leaf.member': 'The member’s address.',
  'leaf.position': 'Its place among the leaves, from 0.',
  'leaf.owed': 'What is owed: base units of USDT, HASH and JU.',
  'leaf.salt': 'The salt of the leaf’s hash.',
  path: 'The siblings from the leaf upward. Where bit i of the position is 0, the i-th is on the right.',
  secret: 'The member’s secret: finds its leaf in the tree of every day. Version 2 alone.',
}

const treePart: Texts = {
  day: 'The attested UTC day.',
  block: 'Payments up to this block are in it.',
  ledgerSequence: 'The last posting of the ledger that is in it, a decimal text.',
  leaves: 'Leaves of the whole tree, padding included: a power of two.',
  parts: 'How many parts there are.',
  part: 'The place of this one, from 0.',
  items: 'The leaves of the part, in order.',
}

/** The money fund, home, and the proof of what is owed. */
export const proofs: Described = {
  schemas: {
    FundState: { schema: info.fund, text: 'What a share price is computed from.', properties: fundState },
    FundCloses: {
      schema: info.rateCloses.unwrap(),
      text: 'What a rate of the fund is computed from.',
      properties: {
        first: 'The close seven closes before the last, or the first that there is.',
        'first.day': 'The day that was closed.',
        'first.assets': 'What the fund had after it, USDT.',
        'first.shares': 'All shares then.',
        last: 'The last close, after what was lost since.',
        'last.day': 'The day that was closed.',
        'last.assets': 'What the fund has after the last close and all deficits since, USDT.',
        'last.shares': 'All shares at the last of these changes.',
      },
    },
    Holding: {
      schema: endpoints['POST finance/transferIn'].data.shape.holding,
      text: 'The caller’s part of the fund.',
      properties: holding,
    },
    SolvencyNow: {
      schema: endpoints['GET home/public'].data.shape.solvency.unwrap(),
      text: 'The last comparison of what the contract holds with what is owed.',
      properties: {
        ...comparison,
        lowest: 'The asset of which the least part is there; null where nothing is owed.',
        'lowest.asset': 'The asset.',
        'lowest.ratio': 'held ÷ owed, a fraction, rounded down to millionths.',
        assets: 'One for each asset.',
        'assets.asset': 'The asset of the amounts, in whole units.',
        'assets.held': 'What the contract holds on chain.',
        'assets.owed': 'What is owed of it.',
      },
    },
    Node: {
      schema: nodeData,
      text: 'A node of the tree.',
      properties: { hash: 'Its hash.', sums: 'The sums below it: base units of USDT, HASH and JU.' },
    },
    Proof: {
      schema: endpoints['GET solvency/proof'].data,
      text: 'A leaf with its path, as the contract’s `claim` takes it.',
      properties: proofTexts,
    },
    TreePart: {
      schema: endpoints['GET solvency/tree'].data,
      text: 'A part of the leaves of a day.',
      properties: treePart,
    },
    OwedParts: {
      schema: owedParts,
      text: 'What a member’s leaf was computed from, in base units.',
      properties: {
        day: 'The attested UTC day.',
        ledgerSequence: 'Balances are those after this posting of the ledger and before the next.',
        available: 'What the member could spend, base units.',
        ...under('available', ofAssets),
        held: 'What was set aside for withdrawals, base units.',
        ...under('held', ofAssets),
        shares: 'The member’s shares of the fund, base units.',
        fund: 'The fund then.',
        'fund.assets': 'What it had, base units of USDT.',
        'fund.shares': 'All shares, base units.',
        pool: 'What shares are parts of. Absent in older snapshots: there a share counts at its worth in USDT.',
        'pool.JU': 'Base units of JU.',
        'pool.USDT': 'Base units of USDT.',
        'pool.HASH': 'Base units of HASH.',
        'pool.shares': 'All shares without those that debts take, base units.',
        prices: 'Base units of USDT for a whole unit: the 30-minute averages.',
        'prices.JU': 'Of JU; null where nobody knew it.',
        'prices.HASH': 'Of HASH; null where nobody knew it.',
        collateral: 'Collateral of all the member’s loans, base units.',
        'collateral.JU': 'JU.',
        'collateral.HASH': 'HASH.',
        debt: 'What all its loans owed: principal, interest and late charges, base units of USDT.',
        paidLater: 'What the contract paid to the member in blocks after the attested one, base units.',
        ...under('paidLater', ofAssets),
      },
    },
  },
  endpoints: {
    'GET finance/info': {
      data: {
        ...holding,
        paidAhead:
          'Part of the amounts moved in since the last close: paid for interest of the running day, and back with its close. Of each move amount − ⌈new shares × (assets + v) ÷ (shares + v)⌉ in base units; moving out leaves it in proportion, rounded down. USDT.',
        price: 'What a whole share is worth, by the rule of `total`, USDT.',
        fund: 'What the price is computed from.',
        pending: 'Interest charged and not counted by a close, USDT, exact.',
        idle: 'Money of the fund that is not lent, USDT.',
        lent: 'What loans owe to the fund, pending interest included, USDT: idle + lent = assets + pending.',
        reserve: 'The reserve, which pays deficits first, USDT.',
        reserveShare:
          'The part of interest and late charges for the reserve, a fraction. Of a loan’s charges c after b before: ⌊(b + c) × share⌋ − ⌊b × share⌋.',
        rate: 'Change of the price between `rateCloses`, a fraction, rounded towards zero to millionths. A gain: change ÷ first price × 365 ÷ rateDays. A loss: change ÷ first price. Null before the second close.',
        rateDays: 'Days between the two closes, 0 where there is no rate.',
        rateCloses: 'What the rate is computed from; null where there is none.',
        available: 'What the caller has available, USDT.',
        transferableIn: 'The whole USDT of `available`.',
        transferableOut: 'The less of `total` and `idle`, USDT.',
        history: 'The last closes, oldest first, at most 90.',
        'history.day': 'The day that was closed.',
        'history.price': 'What a whole share was worth after it, USDT.',
        'history.assets': 'What the fund had after it, USDT.',
        'history.shares': 'All shares then.',
        'history.earned': 'What the close added, USDT.',
        'history.reserve': 'The reserve then, USDT.',
        'history.deficit': 'Lost since the close before, USDT.',
      },
    },
    'POST finance/transferIn': {
      input: { amount: 'The amount to move in, whole USDT, above zero.' },
      data: {
        amount: 'Moved in, USDT.',
        shares:
          'Shares got: ⌊amount × (shares + v) ÷ (assets + pending + v)⌋ in base units with v = 10^9; in a fund without shares pending is left out.',
        holding: 'The caller’s part after it.',
      },
    },
    'POST finance/transferOut': {
      input: {
        amount: 'The amount to move out, whole USDT, above zero. Either this or `all`.',
        all: '1: everything, with its fraction.',
      },
      data: {
        amount: 'Moved out, USDT.',
        shares:
          'Shares given: ⌈amount × (shares + v) ÷ (assets + v)⌉ in base units with v = 10^9, at most those that the caller has; while assets are below shares v is left out.',
        holding: 'The caller’s part after it.',
      },
    },
    'GET finance/bills': {
      input: { period: 'How far back: from now.' },
      data: {
        items: 'The lines, newest first.',
        'items.id': 'Names the line.',
        'items.type': 'in, out: moved. earnings: of a close. deficit: a loss that the reserve could not pay.',
        'items.amount': 'Moved in or out, USDT; 0 for the others.',
        'items.profit': 'worth of `shares` after − before, each rounded down, USDT; 0 for in and out.',
        'items.shares': 'The caller’s shares: what came or went, or what earned.',
        'items.before': 'The fund before.',
        'items.after': 'The fund after; the same for in and out.',
        'items.day': 'The day that was closed; null for other types.',
        'items.at': 'When it happened.',
      },
    },
    'GET home/public': {
      data: {
        totalUnits: 'Units of all members that earn today.',
        unit: 'The name of a unit, such as "T".',
        accounts: 'How many accounts there are.',
        yesterday: 'The last closed day; null before the first.',
        'yesterday.day': 'The UTC day.',
        'yesterday.revenue': 'HASH deposited for it.',
        'yesterday.outputPerUnit': '⌊paid to members ÷ total units⌋ in base units, HASH.',
        fundRate: 'As `rate` of `finance/info`; null before the second close.',
        fundRateCloses: 'What it is computed from; null where there is none.',
        solvency: 'The last comparison; null before the first.',
        chainDelayed: 'True while nothing new of the chain is known for longer than payments may wait.',
        network: 'The chain.',
        walletConnect: 'For wallets on other devices; null where that is not offered.',
        'walletConnect.projectId': 'The project at the relay.',
        'walletConnect.relayUrl': 'The relay.',
        contracts: 'The contracts.',
        'contracts.gateway': 'The payment contract.',
        'contracts.usdt': 'The token USDT.',
        'contracts.hash': 'The token HASH.',
        confirmations: 'Confirmations that a payment needs.',
        'confirmations.normal': 'Usually.',
        'confirmations.large': 'Above `largeAboveUsdt`.',
        'confirmations.largeAboveUsdt': 'Worth in USDT above which a payment is large.',
      },
    },
    'GET home/overview': {
      data: {
        level: 'Membership level, 0 to 5.',
        totalAssets:
          'financialAmount − loanAmount + of each asset ⌊(balances + collateral) × price⌋ in base units, USDT. The parts shown are rounded down one by one, so they can sum to a base unit less each. Null when something is had whose price is unknown.',
        accountBalance:
          'Of each asset ⌊balances × price⌋ in base units, added up, USDT. Null when something is had whose price is unknown.',
        creditLimit:
          'What could be borrowed more, USDT, at most the fund’s idle money. Of JU and HASH the available balance is pledged to open projects, the highest initial rate first: ⌊pledged × debt price × initialRate⌋ or what the project has left, for which ⌈left ÷ (debt price × initialRate)⌉ is pledged; of each asset at most what its ceiling leaves. 0 for an asset whose price is paused.',
        loanAmount: 'What ends all loans today: their pay-offs added up, USDT.',
        financialAmount: 'Worth of the fund shares, as `total` of `finance/info`, USDT.',
        balances: 'Available and held, in whole units.',
        ...under('balances', ofAssets),
        collateral: 'Collateral of all open loans, in whole units.',
        'collateral.JU': 'JU.',
        'collateral.HASH': 'HASH.',
        prices: 'USDT per whole unit, the 30-minute averages.',
        'prices.JU': 'Of JU; null while nobody knows it.',
        'prices.USDT': 'Always 1.',
        'prices.HASH': 'Of HASH; null while nobody knows it.',
        mortgage: 'The loan whose mortgage rate is the largest part of its clearing line; null without a loan.',
        'mortgage.loanNo': 'Its number.',
        'mortgage.kind': 'project or lever.',
        'mortgage.safetyLine': 'Its safety line, a fraction.',
        'mortgage.clearingLine': 'Its clearing line, a fraction.',
        'mortgage.safety': 'How far it is from them.',
        openLoans: 'How many loans are open.',
        nextRepayment: 'What is due first of all loans; null when nothing is owed.',
        'nextRepayment.loanNo': 'The loan.',
        'nextRepayment.amount': 'As `next.amount` of the loan, USDT.',
        'nextRepayment.dueOn': 'Its day.',
      },
    },
    'GET solvency/day': {
      input: { day: 'A UTC day that is over.' },
      data: {
        day: 'The UTC day.',
        payments: 'What events of the contract in blocks of the day moved, one for each asset.',
        'payments.asset': 'The asset.',
        'payments.received': 'What came in.',
        'payments.received.count': 'How many events.',
        'payments.received.amount': 'Together, in whole units of the asset.',
        'payments.paid': 'What was paid out.',
        'payments.paid.count': 'How many events.',
        'payments.paid.amount': 'Together, in whole units of the asset.',
        fund: 'Changes of the fund’s price made on the day, in order.',
        'fund.reason': 'close: interest was counted. deficit: a loss.',
        'fund.closed': 'The day that was closed; null for a deficit.',
        'fund.at': 'When it was made.',
        'fund.before': 'The fund before.',
        'fund.after': 'The fund after.',
        'fund.price': 'What a whole share was worth after it, USDT.',
        prices: 'Prices by which anything was exchanged on the day.',
        ...under('prices', {
          asset: 'The asset that the price is of.',
          used: 'USDT per whole unit that the desk used.',
          side: 'Whether that is the average or spot.',
          average: 'Average weighted by time over `windowSeconds`, rounded down.',
          spot: 'Spot price at `blockNumber`, rounded down.',
          windowSeconds: 'Seconds that the average goes over.',
          pair: 'The pair contract.',
          blockNumber: 'The block of the last observation.',
          observedAt: 'When that block was made.',
          exchanges: 'How many exchanges used it.',
        }),
      },
    },
    'GET solvency/now': {
      data: {
        now: 'The last comparison; null before the first. Amounts in whole units.',
        ...under('now', {
          ...comparison,
          block: 'The block that was compared.',
          'block.number': 'Its number.',
          'block.hash': 'Its hash.',
          'block.at': 'When it was made.',
          comparedAt: 'When it was compared.',
          agrees: 'True when the books said of each asset what the chain said.',
          assets: 'One for each asset.',
          'assets.asset': 'The asset of the amounts.',
          'assets.held': 'What the contract holds on chain.',
          'assets.owed': 'owedMembers + owedUnassigned.',
          'assets.owedMembers': 'What members have: balances, set aside, collateral, fund shares, less their debts.',
          'assets.owedUnassigned': 'What belongs to somebody and is on no balance yet.',
          'assets.ratio': 'held ÷ owed, a fraction, rounded down to millionths; null where nothing is owed.',
        }),
        history: 'The lowest ratios of each hour of the last seven days, oldest first.',
        'history.at': 'The hour’s beginning.',
        'history.JU': 'held ÷ owed of JU, rounded down to millionths; null where nothing was owed.',
        'history.USDT': 'The same of USDT.',
        'history.HASH': 'The same of HASH.',
      },
    },
    'GET solvency/latest': {
      data: {
        attestation: 'The last attestation; null before the first. Amounts in whole units.',
        ...under('attestation', {
          day: 'The attested UTC day.',
          gateway: 'The contract that has it.',
          block: 'Payments up to this block are in it.',
          ledgerSequence: 'The last posting of the ledger that is in it, a decimal text.',
          root: 'The root of the tree.',
          leaves: 'Leaves of the tree, padding included.',
          attestedAt: 'When its block was made.',
          txHash: 'Its transaction.',
          assets: 'One for each asset.',
          'assets.asset': 'The asset of the amounts.',
          'assets.owed': 'The sum of all leaves, in whole units; in base units it is the sum of the attestation.',
          'assets.held': 'What the contract held at `block`.',
          'assets.ratio': 'held ÷ owed, a fraction, rounded down to millionths; null where nothing is owed.',
        }),
      },
    },
    'GET solvency/proof': { input: { day: 'The attested UTC day; absent: the last one.' } },
    'GET solvency/platform': {
      input: { day: 'The attested UTC day; absent: the last one.' },
      data: {
        members: 'How many members it has something of.',
        proof: 'The leaf with its path. Its member is the contract.',
      },
    },
    'GET solvency/owed': { input: { day: 'The attested UTC day; absent: the last one.' } },
    'GET solvency/tree': { input: { day: 'The attested UTC day.', part: 'The part, from 0.' } },
  },
}
