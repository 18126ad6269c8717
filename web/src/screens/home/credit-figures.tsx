import { useTranslation } from '../../i18n/use-translation.ts'
import type { PlainKey } from '../../i18n/translate.ts'
import { Figure } from '../../ui/amount/figure.tsx'
import { Row } from '../../ui/list/row.tsx'

const assets = ['home.totalAssets', 'home.credit', 'home.loan', 'home.fund'] as const

const mortgage = ['home.mortgageRate', 'home.safetyLine', 'home.clearingLine', 'home.safety'] as const
const repayment = ['home.repayAmount', 'home.dueDate'] as const

/**
 * The part of the dashboard whose figures belong to lending and the fund. Until those are open there is nothing to
 * compute, and it says so: a zero would be a claim.
 */
export function CreditFigures() {
  const { t } = useTranslation()
  return (
    <>
      <section className="credit" aria-labelledby="credit">
        <h2 id="credit">{t('home.assets')}</h2>
        <div className="credit-grid">
          {assets.map((label) => (
            <Figure key={label} label={t(label)} value={<Dash />} />
          ))}
        </div>
        <p className="muted small">{t('home.creditNote')}</p>
      </section>
      <section className="credit" aria-labelledby="mortgage">
        <h2 id="mortgage">{t('home.mortgage')}</h2>
        <NotYet labels={mortgage} />
        <h2>{t('home.repayment')}</h2>
        <NotYet labels={repayment} />
      </section>
    </>
  )
}

function NotYet({ labels }: { labels: readonly PlainKey[] }) {
  const { t } = useTranslation()
  return (
    <dl className="rows">
      {labels.map((label) => (
        <Row key={label} label={t(label)} value={<Dash />} />
      ))}
    </dl>
  )
}

/** No figure yet: a dash to the eye, words to a screen reader. */
function Dash() {
  const { t } = useTranslation()
  return (
    <span className="absent">
      <span aria-hidden="true">—</span>
      <span className="visually-hidden">{t('home.notYet')}</span>
    </span>
  )
}
