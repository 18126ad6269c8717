import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { RateBar } from '../../lending/safety/rate-bar.tsx'
import { explainClearingLine, explainRate, explainSafetyLine, SafetyStatus } from '../../lending/safety/safety.tsx'
import { explainTotal, TotalAmount } from '../../lending/total-assets.tsx'
import { usdt } from '../../lending/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatDay, formatPercent } from '../../lib/format.ts'
import { useRouter } from '../../navigation/router-context.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Row } from '../../ui/list/row.tsx'
import { type QueryState, QueryView } from '../../ui/state/query-view.tsx'

type Overview = Data<'GET home/overview'>

/** Everything that the account has and owes, how safe its nearest loan is, and what has to be paid next. */
export const LendingFigures = ({ query }: { query: QueryState<Overview> }) => (
  <QueryView query={query} loading={<Assets overview={undefined} />}>
    {(data) => (
      <>
        <Assets overview={data} />
        <Mortgage overview={data} />
        <NextRepayment overview={data} />
      </>
    )}
  </QueryView>
)

/** Undefined while it is being fetched. */
function Assets({ overview }: { overview: Overview | undefined }) {
  const { t } = useTranslation()
  const total =
    overview === undefined ? undefined : overview.totalAssets && <TotalAmount total={overview.totalAssets} />
  const figure = (name: 'credit' | 'loan' | 'fund', value: string | undefined) => (
    <Figure
      label={t(`home.${name}`)}
      value={value && <Amount value={value} unit="USDT" digits={2} minDigits={2} />}
      from={
        value === undefined ? undefined : { title: t(`home.${name}`), value: usdt(value), text: t(`home.${name}From`) }
      }
    />
  )
  return (
    <section className="credit" aria-labelledby="credit" aria-busy={overview === undefined}>
      <h2 id="credit">{t('home.assets')}</h2>
      <div className="lending-grid">
        <Figure
          label={t('loans.totalAssets')}
          value={total}
          absent={t('home.noPrice')}
          from={overview && explainTotal(t, overview)}
        />
        {figure('credit', overview?.creditLimit)}
        {figure('loan', overview?.loanAmount)}
        {figure('fund', overview?.financialAmount)}
      </div>
    </section>
  )
}

/** Shows the loan that is nearest to its clearing line. */
function Mortgage({ overview: { mortgage, openLoans } }: { overview: Overview }) {
  const { t, language } = useTranslation()
  const router = useRouter()
  return (
    <section className="credit" aria-labelledby="mortgage">
      <div className="card-head">
        <h2 id="mortgage">{t('home.mortgage')}</h2>
        {mortgage !== null && <SafetyStatus status={mortgage.safety.status} />}
      </div>
      {mortgage === null ? (
        <>
          <p className="muted small">{t('home.noLoan')}</p>
          <Button onClick={() => router.go('/project')}>{t('home.toProjects')}</Button>
        </>
      ) : (
        <>
          {mortgage.safety.mortgageRate !== null && (
            <RateBar
              rate={mortgage.safety.mortgageRate}
              status={mortgage.safety.status}
              safetyLine={mortgage.safetyLine}
              clearingLine={mortgage.clearingLine}
              hasLegend={false}
            />
          )}
          <dl className="rows">
            <Row
              label={t('home.mortgageRate')}
              value={
                mortgage.safety.mortgageRate === null ? t('loans.noPrice') : formatPercent(mortgage.safety.mortgageRate)
              }
              from={explainRate(t, language, mortgage.safety)}
            />
            <Row
              label={t('home.safetyLine')}
              value={formatPercent(mortgage.safetyLine)}
              from={explainSafetyLine(t, mortgage.safetyLine)}
            />
            <Row
              label={t('home.clearingLine')}
              value={formatPercent(mortgage.clearingLine)}
              from={explainClearingLine(t, mortgage.clearingLine)}
            />
          </dl>
          <Button onClick={() => router.go('/lending', { no: mortgage.loanNo })}>
            {openLoans > 1 ? t('home.nearestLoan', { count: openLoans }) : t('home.openLoan')}
          </Button>
        </>
      )}
    </section>
  )
}

function NextRepayment({ overview: { nextRepayment } }: { overview: Overview }) {
  const { t, language } = useTranslation()
  const router = useRouter()
  return (
    <section className="credit" aria-labelledby="repayment">
      <h2 id="repayment">{t('home.repayment')}</h2>
      {nextRepayment === null ? (
        <p className="muted small">{t('home.noRepayment')}</p>
      ) : (
        <>
          <dl className="rows">
            <Row
              label={t('home.repayAmount')}
              value={<Amount value={nextRepayment.amount} unit="USDT" digits={6} />}
              from={{
                title: t('home.repayAmount'),
                value: usdt(nextRepayment.amount),
                text: t('home.repayAmountFrom'),
              }}
            />
            <Row label={t('home.dueDate')} value={formatDay(nextRepayment.dueOn, languageTag[language])} />
          </dl>
          <Button onClick={() => router.go('/lending', { no: nextRepayment.loanNo })}>{t('home.toRepay')}</Button>
        </>
      )}
    </section>
  )
}
