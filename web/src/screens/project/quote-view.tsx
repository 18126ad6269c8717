import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { languageTag } from '@candela/protocol/language'
import { PricePicture } from '../../lending/safety/price-picture.tsx'
import { recomputedInput } from '../../lending/recomputed.tsx'
import { priceInputs } from '../../lending/safety/safety.tsx'
import { usdt } from '../../lending/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatDay, formatDays, formatPercent, formatPrice } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import { recomputeQuote } from './recompute-quote.ts'
import type { LoanQuote } from './use-loan-quote.ts'

type Props = { project: ProjectItem; quote: LoanQuote; days: number; dimmed?: boolean }

/** Shows what a loan costs, when it ends, and how far the price is from the one at which it is liquidated. */
export function QuoteView({ project, quote, days, dimmed = false }: Props) {
  const { t, language } = useTranslation()
  const here = recomputeQuote(quote, project, days)
  const { amount, collateral, price, rate, interest, interestPerDay, repayment, dueOn, liquidationPrice } = quote
  const ofInterest = [
    { label: t('project.amount'), value: usdt(amount) },
    { label: t('project.rate'), value: formatPercent(rate, 4) },
    { label: t('project.perDay'), value: usdt(interestPerDay) },
    { label: t('project.days'), value: formatDays(days, languageTag[language]) },
  ]
  return (
    <section className="card project-quote" aria-live="polite" data-dimmed={dimmed || undefined}>
      <dl className="rows">
        <Row
          label={t('project.cost')}
          value={<Amount value={interest} unit="USDT" digits={6} />}
          note={t('project.perDayNote', { amount: formatPrice(interestPerDay) })}
          from={{
            title: t('project.cost'),
            value: usdt(interest),
            text: t('project.costFrom'),
            inputs: [...ofInterest, recomputedInput(t, here.interest, interest)],
          }}
        />
        <Row
          label={t('project.repayment')}
          value={<Amount value={repayment} unit="USDT" digits={6} />}
          note={formatDay(dueOn, languageTag[language])}
          from={{
            title: t('project.repayment'),
            value: usdt(repayment),
            text: t('project.repaymentFrom'),
            inputs: [...ofInterest, recomputedInput(t, here.repayment, repayment)],
          }}
        />
        <Row
          label={t('loans.rate')}
          value={formatPercent(quote.mortgageRate)}
          from={{
            title: t('loans.rate'),
            value: formatPercent(quote.mortgageRate, 4),
            text: t('loans.rateFrom'),
            inputs: priceInputs(t, language, price),
          }}
        />
        <Row
          label={t('loans.liquidationPrice')}
          value={<Amount value={liquidationPrice} unit="USDT" digits={6} />}
          from={{
            title: t('loans.liquidationPrice'),
            value: usdt(liquidationPrice),
            text: t('loans.liquidationPriceFrom'),
            inputs: [
              { label: t('project.amount'), value: usdt(amount) },
              { label: t('project.perDay'), value: usdt(interestPerDay) },
              { label: t('project.pledge'), value: <ExactAmount value={collateral} unit={price.asset} /> },
              { label: t('loans.clearingLine'), value: formatPercent(project.clearingLine, 4) },
              recomputedInput(t, here.liquidationPrice, liquidationPrice),
            ],
          }}
        />
      </dl>
      <PricePicture
        asset={price.asset}
        price={price.used}
        safetyPrice={quote.safetyPrice}
        liquidationPrice={liquidationPrice}
      />
    </section>
  )
}
