import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import { PricePicture } from '../../lending/safety/price-picture.tsx'
import { Verdict } from '../../lending/recomputed.tsx'
import { priceInputs, SafetyStatus } from '../../lending/safety/safety.tsx'
import { usdt } from '../../lending/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatDay, formatDays, formatPercent } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import { disagreementsOf } from './recompute-lever.ts'
import { RiskLabel } from './risk-label.tsx'
import { safetyPriceOf } from './safety-price.ts'
import type { LeverQuote } from './use-lever-quote.ts'

/** Shows what a position costs, what it buys, and at which price it is liquidated. */
export function QuoteRows({ quote, days, dimmed = false }: { quote: LeverQuote; days: number; dimmed?: boolean }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const { asset, margin, ratio, loan, total, bought, fee, feePpm, buyPrice, rate, price, interest, repayment } = quote
  const feeRate = formatPercent(fromBaseUnits(BigInt(feePpm), RATE_DECIMALS), 4)
  const ofLoan = [
    { label: t('lever.margin'), value: usdt(margin) },
    { label: t('lever.ratio'), value: t('lever.times', { ratio }) },
  ]
  return (
    <section className="card" aria-live="polite" data-dimmed={dimmed || undefined}>
      <dl className="rows">
        <Row
          label={t('lever.deposit')}
          value={<Amount value={margin} unit="USDT" digits={6} />}
          from={{ title: t('lever.deposit'), value: usdt(margin), text: t('lever.depositFrom') }}
        />
        <Row
          label={t('lever.loan')}
          value={<Amount value={loan} unit="USDT" digits={6} />}
          from={{ title: t('lever.loan'), value: usdt(loan), text: t('lever.loanFrom'), inputs: ofLoan }}
        />
        <Row
          label={t('lever.total')}
          value={<Amount value={total} unit="USDT" digits={6} />}
          from={{ title: t('lever.total'), value: usdt(total), text: t('lever.totalFrom'), inputs: ofLoan }}
        />
        <Row
          label={t('lever.bought')}
          value={<Amount value={bought} unit={asset} digits={6} />}
          from={{
            title: t('lever.bought'),
            value: <ExactAmount value={bought} unit={asset} />,
            text: t('lever.boughtFrom'),
            inputs: [
              { label: t('lever.total'), value: usdt(total) },
              { label: t('lever.buyPrice'), value: usdt(buyPrice) },
              { label: t('lever.fee', { rate: feeRate }), value: <ExactAmount value={fee} unit={asset} /> },
              ...priceInputs(t, language, price),
            ],
          }}
        />
        <Row
          label={t('lever.rate')}
          value={formatPercent(rate)}
          from={{ title: t('lever.rate'), value: formatPercent(rate, 4), text: t('lever.rateFrom') }}
        />
        <Row label={t('lever.due')} value={formatDays(days, tag)} note={formatDay(quote.dueOn, tag)} />
        <Row
          label={t('lever.repayment')}
          value={<Amount value={repayment} unit="USDT" digits={6} />}
          from={{
            title: t('lever.repayment'),
            value: usdt(repayment),
            text: t('lever.repaymentFrom'),
            inputs: [
              { label: t('lever.loan'), value: usdt(loan) },
              { label: t('lever.interest'), value: usdt(interest) },
              { label: t('lever.perDay'), value: usdt(quote.interestPerDay) },
            ],
          }}
        />
        <Row
          label={t('loans.rate')}
          value={formatPercent(quote.mortgageRate)}
          note={<SafetyStatus status={quote.status} />}
        />
        <Row label={t('lever.risk')} value={<RiskLabel risk={quote.risk} />} />
        <Row
          label={t('loans.liquidationPrice')}
          value={<Amount value={quote.liquidationPrice} unit="USDT" digits={6} />}
          from={{
            title: t('loans.liquidationPrice'),
            value: usdt(quote.liquidationPrice),
            text: t('loans.liquidationPriceFrom'),
          }}
        />
      </dl>
      <PricePicture
        asset={asset}
        price={price.used}
        safetyPrice={safetyPriceOf(quote)}
        liquidationPrice={quote.liquidationPrice}
      />
      <Verdict agrees={disagreementsOf(quote, days).length === 0} />
    </section>
  )
}
