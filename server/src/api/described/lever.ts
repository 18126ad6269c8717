import { endpoints } from '@candela/protocol/endpoints'
import type { Described, Texts } from './described.ts'
import { lines, loanAfter, loanNo } from './lending.ts'

const closing: Texts = {
  sold: 'Whole units of the collateral that the desk takes. All of the part while that fits into its hour; else, and while the price is paused and the loan could be liquidated, ⌈(⌈due × 10^6 ÷ (10^6 − feePpm)⌉ + 1) ÷ salePrice⌉ in base units, at most the part.',
  salePrice: 'USDT per whole unit: the lower of spot and average when all is sold; else the price of a liquidation.',
  fee: 'Fee of the exchange, USDT: ⌊sold × salePrice⌋ − proceeds.',
  proceeds: '⌊sold × salePrice × (10^6 − feePpm) ÷ 10^6⌋ in base units, USDT.',
  repaid:
    'Repaid of the debt, USDT. For 100 percent the pay-off, else ⌈pay-off × percent ÷ 100⌉; what the proceeds lack comes from the balance.',
  returned: 'To the balance, USDT: proceeds − repaid, not below 0.',
  kept: 'Whole units of the part that are not sold. For 100 percent they go to the balance, else they stay collateral.',
}

const leverInput: Texts = {
  asset: 'What is bought and locked.',
  margin: 'The caller’s own money, above zero, USDT.',
  ratio: 'Total ÷ margin: "2" to "4" with at most one decimal.',
  days: 'The term in days.',
}

/** Leveraged loans. */
export const lever: Described = {
  schemas: {
    LeverClose: {
      schema: endpoints['POST lever/close'].data,
      text: 'What closing a part of a position did.',
      properties: { loan: loanAfter, ...closing },
    },
  },
  endpoints: {
    'GET lever/options': {
      data: {
        assets: 'Assets that can be bought.',
        'assets.asset': 'The asset.',
        'assets.price': 'The price at which it counts; null while it is paused.',
        'assets.paused': 'True while the price is paused.',
        'assets.maxRatio': 'The greatest ratio now, with one decimal; null while there is none.',
        'assets.ceilingLeft': 'What the caller can still owe on the asset, USDT.',
        termDays: 'Terms to choose from, in days.',
        minRatio: 'The least ratio.',
        maxRatio: 'The greatest ratio at any price.',
        rate: 'Interest a year, a fraction.',
        safetyLine: lines['safetyLine'] ?? '',
        clearingLine: lines['clearingLine'] ?? '',
        minMargin: 'The least margin, USDT.',
        available: 'What the caller has available, USDT.',
        fundIdle: 'What the fund can lend, USDT.',
        charges: 'Terms of a loan that is made now.',
      },
    },
    'GET lever/quote': {
      input: leverInput,
      data: {
        asset: 'What is bought.',
        margin: 'The caller’s own money, USDT.',
        ratio: 'With at most one decimal.',
        loan: '⌊margin × (ratio − 1)⌋ in base units, USDT.',
        total: 'margin + loan, USDT.',
        buyPrice: 'USDT per whole unit that the desk takes: the higher of spot and average.',
        feePpm: 'The fee in millionths of what is bought.',
        fee: '⌊total ÷ buyPrice⌋ − bought, in whole units of the asset.',
        bought: '⌊total × (10^6 − feePpm) ÷ (buyPrice × 10^6)⌋ in base units; whole units of the asset, all locked.',
        price: 'The price at which it counts as collateral.',
        rate: 'Interest a year, a fraction.',
        interestPerDay: '⌈loan × rate ÷ 365⌉ in base units, USDT.',
        interest: 'interestPerDay × days, USDT.',
        repayment: 'loan + interest, USDT.',
        dueOn: 'The UTC day of today + days.',
        mortgageRate: '⌊(loan + interestPerDay) × 10^6 ÷ (bought × price)⌋ millionths as a fraction.',
        safetyLine: lines['safetyLine'] ?? '',
        clearingLine: lines['clearingLine'] ?? '',
        status: 'How it would begin: safe, warning or liquidating.',
        liquidationPrice: '⌊(loan + interestPerDay) ÷ (bought × clearingLine)⌋ in base units, USDT per whole unit.',
        fall: 'How far the price may fall until then, a fraction: ⌊(price − liquidationPrice) × 10^6 ÷ price⌋ millionths.',
        risk: 'low up to 2 times, medium up to 3, high beyond.',
      },
    },
    'GET lever/closeQuote': {
      input: { loanNo, percent: 'The part of the position, 1 to 100.' },
      data: {
        part: 'Whole units of the collateral: all of it for 100 percent, else ⌊collateral × percent ÷ 100⌋ in base units.',
        worth: '⌊part × salePrice × (10^6 − feePpm) ÷ 10^6⌋ in base units, USDT.',
        ...closing,
      },
    },
    'POST lever/open': {
      input: {
        ...leverInput,
        minBought: 'The least to buy, in whole units of the asset; 0 sets no limit. Less is refused with 4204.',
        acceptWarning: '1 when the caller accepts that it begins above its safety line.',
      },
      data: { loan: loanAfter },
    },
    'POST lever/addMargin': {
      input: { loanNo, amount: 'Paid from the balance, above zero, USDT.' },
      data: { loan: loanAfter },
    },
    'POST lever/close': {
      input: {
        loanNo,
        percent: 'The part of the position, 1 to 100.',
        minProceeds:
          'What all of the part has to be worth, after the fee, USDT; 0 sets no limit. Less is refused with 4204.',
      },
    },
  },
}
