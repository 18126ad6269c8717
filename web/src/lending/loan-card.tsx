import { languageTag, textIn } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import type { LoanItem } from '@candela/protocol/endpoints/lending'
import { useTranslation } from '../i18n/use-translation.ts'
import { formatAmount, formatDay, formatPercent } from '../lib/format.ts'
import { Amount } from '../ui/amount/amount.tsx'
import { Progress } from '../ui/picture/progress.tsx'
import { Status, type Tone } from '../ui/state/status.tsx'
import { percentOf } from './safety/price-places.ts'
import { SafetyStatus } from './safety/safety.tsx'
import './loan-card.css'

const tones: Record<LoanItem['state'], Tone> = {
  active: 'good',
  installment: 'good',
  overdue: 'bad',
  liquidating: 'bad',
  repaid: 'calm',
  liquidated: 'calm',
  'written-off': 'calm',
}

export const LoanState = ({ state }: { state: LoanItem['state'] }) => {
  const { t } = useTranslation()
  return <Status tone={tones[state]}>{t(`loans.state.${state === 'written-off' ? 'writtenOff' : state}`)}</Status>
}

/** How much of what was lent is repaid, and how much is left. */
export function RepaidProgress({ loan: { lent, principal, principalRepaid } }: { loan: LoanItem }) {
  const { t } = useTranslation()
  // Not lent − repaid: a part of a loan may have been written off.
  const values = { repaid: formatAmount(principalRepaid, 2), left: formatAmount(principal, 2) }
  return (
    <span className="loan-progress">
      <Progress
        value={percentOf(toBaseUnits(principalRepaid), toBaseUnits(lent))}
        max={100}
        label={t('loans.progress', values)}
      />
      <span className="loan-progress-words">
        <span>{t('loans.repaid', { amount: values.repaid })}</span>
        <span>{t('loans.remaining', { amount: values.left })}</span>
      </span>
    </span>
  )
}

/** A loan at a glance; a tap opens everything about it. */
export function LoanCard({ loan, open }: { loan: LoanItem; open: () => void }) {
  const { t, language } = useTranslation()
  const { loanNo, kind, projectName, state, lent, rate, payoff, dueOn, installments, safety } = loan
  const tag = languageTag[language]
  return (
    <button type="button" className="loan-card" data-loan={loanNo} data-state={state} onClick={open}>
      <span className="loan-card-head">
        <span>
          {kind === 'lever'
            ? t('loans.kind.lever')
            : projectName === null
              ? t('loans.kind.project')
              : textIn(projectName, language)}
        </span>
        <LoanState state={state} />
      </span>
      <span className="loan-card-amount">
        <Amount value={lent} unit="USDT" digits={2} />
        <span className="loan-card-note">{t('loans.aYear', { rate: formatPercent(rate) })}</span>
      </span>
      <RepaidProgress loan={loan} />
      <span className="loan-card-line">
        <span>{t('loans.totalDue')}</span>
        <Amount value={payoff} unit="USDT" digits={6} />
      </span>
      <span className="loan-card-line">
        <span>{t('loans.dueOn')}</span>
        <span>{formatDay(dueOn, tag)}</span>
      </span>
      {installments !== null && (
        <span className="loan-card-line">
          <span>{t('loans.installments', { paid: installments.paid, count: installments.count })}</span>
          <Amount value={installments.payment} unit="USDT" digits={2} />
        </span>
      )}
      {safety.mortgageRate !== null && toBaseUnits(payoff) > 0n && (
        <span className="loan-card-line">
          <span>{t('loans.rate')}</span>
          <span className="loan-card-safety">
            {formatPercent(safety.mortgageRate)} <SafetyStatus status={safety.status} />
          </span>
        </span>
      )}
    </button>
  )
}
