import { languageTag, textIn } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import type { ReactNode } from 'react'
import { LoanState, RepaidProgress } from '../../lending/loan-card.tsx'
import { PricePicture } from '../../lending/safety/price-picture.tsx'
import { RateBar } from '../../lending/safety/rate-bar.tsx'
import { explainLiquidationPrice, explainRate, SafetyStatus } from '../../lending/safety/safety.tsx'
import { usdt } from '../../lending/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDay, formatPercent } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { CopyButton } from '../../ui/control/copy.tsx'
import { Row } from '../../ui/list/row.tsx'
import type { Loan } from './loan-types.ts'

/** Shows what is owed now and what it consists of, how much is repaid, and when the rest is due. `action` is what is done about it. */
export function LoanFigures({ loan, action }: { loan: Loan; action?: ReactNode }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const { kind, projectName, state, payoff, principal, interest, charges, lent, rate, dueOn, next, loanNo } = loan
  const { installments, lever } = loan
  const fees = toBaseUnits(payoff) - toBaseUnits(principal) - toBaseUnits(interest) - toBaseUnits(charges)
  return (
    <section className="card">
      <div className="card-head">
        <h2>
          {kind === 'lever'
            ? t('loans.kind.lever')
            : projectName === null
              ? t('loans.kind.project')
              : textIn(projectName, language)}
        </h2>
        <LoanState state={state} />
      </div>
      <Figure
        size="large"
        label={t('loans.totalDue')}
        value={<Amount value={payoff} unit="USDT" digits={6} minDigits={2} />}
        from={{
          title: t('loans.totalDue'),
          value: usdt(payoff),
          text: t('lending.payoffFrom'),
          inputs: [
            { label: t('lending.principal'), value: usdt(principal) },
            { label: t('lending.interest'), value: usdt(interest) },
            { label: t('lending.charges'), value: usdt(charges) },
            { label: t('lending.fees'), value: usdt(fees) },
          ],
        }}
      />
      <RepaidProgress loan={loan} />
      {action}
      <dl className="rows">
        <Row label={t('lending.lent')} value={<Amount value={lent} unit="USDT" digits={6} />} />
        <Row
          label={t('lending.rate')}
          value={formatPercent(rate)}
          from={{ title: t('lending.rate'), value: formatPercent(rate, 4), text: t('lending.rateFrom') }}
        />
        <Row label={t('loans.dueOn')} value={formatDay(dueOn, tag)} note={t('lending.utc')} />
        {installments !== null && (
          <Row
            label={t('loans.installments', { paid: installments.paid, count: installments.count })}
            value={<Amount value={installments.payment} unit="USDT" digits={4} />}
          />
        )}
        {next !== null && (
          <Row
            label={t('lending.next')}
            value={<Amount value={next.amount} unit="USDT" digits={6} />}
            note={formatDay(next.dueOn, tag)}
          />
        )}
        <Row label={t('lending.openedOn')} value={formatDay(loan.openedOn, tag)} />
        {lever !== null && (
          <>
            <Row label={t('lending.margin')} value={<Amount value={lever.margin} unit="USDT" digits={6} />} />
            <Row label={t('lending.ratio')} value={t('lending.times', { ratio: lever.ratio })} />
            <Row
              label={t('lending.bought')}
              value={<Amount value={lever.bought} unit={loan.collateralAsset} digits={6} />}
              note={t('lending.boughtAt', { price: formatAmount(lever.buyPrice, 6) })}
            />
          </>
        )}
        <Row
          label={t('lending.no')}
          value={
            <span className="chain-link">
              <code>{loanNo}</code>
              <CopyButton text={loanNo} what={t('lending.no')} />
            </span>
          }
        />
      </dl>
    </section>
  )
}

/** Rate, lines and prices of the collateral. */
export function LoanSafety({ loan }: { loan: Loan }) {
  const { t, language } = useTranslation()
  const { safety, collateral, collateralAsset, safetyLine, clearingLine, principal, interest, charges } = loan
  const { mortgageRate, price, safetyPrice, liquidationPrice } = safety
  const debt = [principal, interest, charges].reduce((sum, part) => sum + toBaseUnits(part), 0n)
  const secured = { debt, collateral: toBaseUnits(collateral), asset: collateralAsset }
  return (
    <section className="card" aria-labelledby="loan-safety">
      <div className="card-head">
        <h2 id="loan-safety">{t('lending.safety')}</h2>
        <SafetyStatus status={safety.status} />
      </div>
      {mortgageRate !== null && (
        <RateBar rate={mortgageRate} status={safety.status} safetyLine={safetyLine} clearingLine={clearingLine} />
      )}
      {price !== null && liquidationPrice !== null && (
        <PricePicture
          asset={collateralAsset}
          price={price.used}
          safetyPrice={safetyPrice}
          liquidationPrice={liquidationPrice}
        />
      )}
      <dl className="rows">
        <Row
          label={t('loans.rate')}
          value={mortgageRate === null ? '—' : formatPercent(mortgageRate)}
          from={explainRate(t, language, safety, secured)}
        />
        <Row
          label={t('loans.collateral')}
          value={<Amount value={collateral} unit={collateralAsset} digits={6} />}
          from={{
            title: t('loans.collateral'),
            value: <ExactAmount value={collateral} unit={collateralAsset} />,
            text: t('lending.collateralFrom'),
          }}
        />
        {liquidationPrice !== null && (
          <Row
            label={t('loans.liquidationPrice')}
            value={<Amount value={liquidationPrice} unit="USDT" digits={6} />}
            from={explainLiquidationPrice(t, liquidationPrice)}
          />
        )}
      </dl>
    </section>
  )
}
