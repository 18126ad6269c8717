import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDays, formatPercent } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { Row } from '../../ui/list/row.tsx'
import * as explain from './explain-fund.tsx'
import type { Info } from './fund-types.ts'

/** With a sign, because it may be a loss. @param calm a minus that is no loss: without the colour of one */
export const Earned = ({ value, digits = 6, calm = false }: { value: string; digits?: number; calm?: boolean }) => (
  <span className="fund-earned" data-sign={calm ? undefined : signOf(value)}>
    {signOf(value) === 'plus' && '+'}
    <Amount value={value} unit="USDT" digits={digits} />
  </span>
)

const signOf = (value: string) => (value.startsWith('-') ? 'minus' : /[1-9]/.test(value) ? 'plus' : undefined)

/** Whether income is below zero only because of what the next close gives back, to a base unit that each move in costs by rounding. */
function isPaidAhead({ cumulative, paidAhead }: Info): boolean {
  const lost = -toBaseUnits(cumulative)
  return lost > 0n && toBaseUnits(paidAhead) > 0n && lost <= toBaseUnits(paidAhead) + ROUNDING
}

/** Base units; a thousand moves in. */
const ROUNDING = 1_000n

/** The caller's part of the fund. Undefined while it is being fetched. */
export function Figures({ info }: { info: Info | undefined }) {
  const { t, language } = useTranslation()
  return (
    <section className="fund-figures" aria-busy={info === undefined}>
      <Figure
        size="hero"
        label={t('finance.total')}
        value={info && <Amount value={info.total} unit="USDT" digits={6} minDigits={2} />}
        from={info && explain.explainTotal(t, info)}
      />
      <div className="fund-grid">
        <Figure
          label={t('finance.yesterday')}
          value={info && <Earned value={info.yesterday} digits={4} />}
          from={info && explain.explainYesterday(t, info)}
        />
        <Figure
          label={t('finance.cumulative')}
          value={info && <Earned value={info.cumulative} digits={4} calm={isPaidAhead(info)} />}
          note={
            info && isPaidAhead(info) ? t('finance.paidAhead', { amount: formatAmount(info.paidAhead, 4) }) : undefined
          }
          from={info && explain.explainCumulative(t, info)}
        />
        <Figure
          label={t('finance.rate')}
          value={info && info.rate && formatPercent(info.rate)}
          absent={t('finance.noRate')}
          note={
            info === undefined || info.rate === null
              ? undefined
              : t(info.rate.startsWith('-') ? 'finance.lossNote' : 'finance.rateNote', {
                  days: formatDays(info.rateDays, languageTag[language]),
                })
          }
          from={info && explain.explainRate(t, language, info)}
        />
        <Figure
          label={t('finance.transferableIn')}
          value={info && <Amount value={info.transferableIn} unit="USDT" digits={2} />}
          from={info && explain.explainIn(t, info)}
        />
        <Figure
          label={t('finance.transferableOut')}
          value={info && <Amount value={info.transferableOut} unit="USDT" digits={2} />}
          from={info && explain.explainOut(t, info)}
        />
      </div>
    </section>
  )
}

/** Where the fund's money is. */
export function FundFacts({ info }: { info: Info }) {
  const { t } = useTranslation()
  return (
    <section className="fund-facts" aria-labelledby="fund-facts">
      <h2 id="fund-facts">{t('finance.whereItIs')}</h2>
      <p className="muted small">{t('finance.how')}</p>
      <dl className="rows">
        <Row
          label={t('finance.idle')}
          value={<Amount value={info.idle} unit="USDT" digits={2} />}
          from={explain.explainIdle(t, info)}
        />
        <Row
          label={t('finance.lent')}
          value={<Amount value={info.lent} unit="USDT" digits={2} />}
          from={explain.explainLent(t, info)}
        />
        <Row
          label={t('finance.pending')}
          value={<Amount value={info.pending} unit="USDT" digits={6} />}
          from={explain.explainPending(t, info)}
        />
        <Row
          label={t('finance.reserve')}
          value={<Amount value={info.reserve} unit="USDT" digits={2} />}
          from={explain.explainReserve(t, info)}
        />
      </dl>
    </section>
  )
}
