import { expect, test } from 'vitest'
import { CHAIN_ID } from '../../protocol/chain/network.ts'
import { dustSteps } from '../../protocol/money/dust.ts'
import { fromBaseUnits } from '../../protocol/money/money.ts'
import { ASSET_DECIMALS } from '../../protocol/units.ts'
import { TOLERANCE_PPM } from '../../protocol/money/exchange.ts'
import { SHORT_WINDOW_S, WINDOW_S } from '../../server/src/chain/price/average-price.ts'
import { STALE_AFTER_S, TOLERANCE_BPS } from '../../server/src/chain/price/price.ts'
import { REFERRAL_BPS } from '../../server/src/modules/power/settlement/postings.ts'
import { catalogs as typed } from '../../web/src/i18n/testing-catalogs.ts'

/**
 * A figure that an operator can change comes from the service into a text: figures that stand in it are constants, each with its reason
 * here.
 */

const catalogs: Readonly<Record<string, Readonly<Record<string, string>>>> = typed
const minutes = (seconds: bigint | number) => String(BigInt(seconds) / 60n)
const percentOf = (bps: bigint) => `${bps / 100n}%`

const average = minutes(WINDOW_S)
const short = minutes(SHORT_WINDOW_S)
const tolerance = `0.${TOLERANCE_PPM / 1_000n}%`
const referral = percentOf(REFERRAL_BPS)
const chain = String(CHAIN_ID)

/** Figures of each text by key. Those of one comment have the reason that it gives. */
const figures: Readonly<Record<string, readonly string[]>> = {
  // The windows of the averages, as the service computes them.
  'loans.totalAssetsFrom': [average],
  'proof.debtFrom': [average],
  'proof.priceOf': [average],
  'home.balanceNote': [average],
  'home.balanceFrom': [average],
  'exchange.rateFrom': [average],
  'lending.average5': [short],
  'lending.average30': [average],
  'lending.watchNote': [short],
  'lending.saleNote': [average, percentOf(TOLERANCE_BPS)],
  'lever.boughtFrom': [average],
  'solvency.owedFrom': [average],
  'loans.priceAverage': [average],
  'loans.priceMedian': [short],
  'loans.priceWeek': ['7'],
  'amount.tooManyDecimals': [String(ASSET_DECIMALS)],
  'lending.median5': [short],
  'lending.watchNoteBefore': [short],
  'lending.saleNoteBefore': [average],
  'project.depthNote': ['7'],
  'buy.priceFrom': [percentOf(TOLERANCE_BPS), minutes(STALE_AFTER_S)],
  // How far a price may move between a quote and what it is for.
  'exchange.minimumFrom': [tolerance],
  'lever.closeNote': [tolerance],
  // The step below which a payment is small.
  'statement.smallText': [fromBaseUnits(dustSteps.USDT)],
  // The reward of an inviter.
  'income.noReferralText': [referral],
  'income.referralFrom': [referral],
  'friends.reward': [referral],
  'exit.otherChain': [chain],
  'exit.otherNode': [chain],
  // Parts of a formula.
  'proof.sharesFrom': ['0.000000001'],
  'exchange.receivedFrom': ['1'],
  'income.formula': ['1'],
  'lever.loanFrom': ['1'],
  'allow.standingFrom': ['0'],
  // Constants of the contract: silence until the exit, and the time in which its cap comes back.
  'exit.lead': ['30'],
  'withdraw.reason.dailyCap': ['24'],
  'withdraw.expectedFrom': ['24'],
  // The amount that an allowance is taken back to.
  'pay.takingBack': ['0'],
  // How interest is computed, when a day begins, and what a percentage is of.
  'finance.rateFrom': ['365'],
  'lending.rateFrom': ['365'],
  'lever.rateFrom': ['365'],
  'project.rateFrom': ['365'],
  'project.costFrom': ['365'],
  'finance.paidAhead': ['00:00', '0'],
  'withdraw.limitFrom': ['00:00'],
  'figure.fundRateFrom': ['7'],
  'figure.solvencyFrom': ['100%'],
  'solvency.axis': ['100%'],
  // Steps and discounts of levels, which are a part of the specification.
  'home.levelFrom': ['10', '100', '500', '1,000', '5,000', '1', '5', '5%', '25%'],
  // The bounds of what may be typed, and how much a list or a chart holds.
  'lever.percentHint': ['1', '100'],
  'mine.uidWrong': ['1', '18'],
  'invite.form': ['16'],
  'list.top': ['100'],
  'chart.year': ['1'],
  // The least worth of a transfer, and how long its signature counts.
  'transfer.amountHint': ['1'],
  'transfer.tooLittle': ['1'],
  'transfer.validFor': ['5'],
}

const figuresOf = (text: string): string[] =>
  (text.replaceAll(/\{\w+\}/g, '').match(/\d+(?:[.,:]\d+)*%?/g) ?? []).map((figure) => figure)

test('a text holds no figure that a setting could change, and those that it holds are the constants', () => {
  const wrong: string[] = []
  const seen = new Set<string>()
  for (const [language, catalog] of Object.entries(catalogs))
    for (const [key, text] of Object.entries(catalog)) {
      const found = figuresOf(text)
      if (found.length > 0) seen.add(key)
      const known = figures[key] ?? []
      if (found.some((figure) => !known.includes(figure))) wrong.push(`${language} ${key}: ${found.join(' ')}`)
    }
  expect(wrong).toEqual([])
  // Each key that is named here is in some language.
  expect(Object.keys(figures).filter((key) => !seen.has(key))).toEqual([])
})

test('finds figures in every form', () => {
  expect(figuresOf('{a1} 15 minutes, 0.5%, 1,000 and 24 hours')).toEqual(['15', '0.5%', '1,000', '24'])
})
