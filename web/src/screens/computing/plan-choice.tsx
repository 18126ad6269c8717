import { languageTag, textIn } from '@candela/protocol/language'
import { useId } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { OutsidePicture } from '../../ui/picture/outside-picture.tsx'
import { formatCount, formatDays, formatPercent } from '../../lib/format.ts'
import { orderable } from './plan.ts'
import type { Plan } from './plan.ts'

type Props = { plans: readonly Plan[]; chosenId: string | null; choose: (id: string) => void }

/** Plans side by side in the figures that differ; the chosen one tells more. */
export function PlanChoice({ plans, chosenId, choose }: Props) {
  const { t } = useTranslation()
  const group = useId()
  return (
    <fieldset className="plans">
      <legend className="visually-hidden">{t('buy.plans')}</legend>
      {plans.map((plan) => (
        <label key={plan.id} className="plan" data-sold-out={orderable(plan) === null || undefined}>
          <input
            type="radio"
            name={group}
            value={plan.id}
            checked={plan.id === chosenId}
            disabled={orderable(plan) === null}
            onChange={() => choose(plan.id)}
          />
          <PlanFacts plan={plan} chosen={plan.id === chosenId} />
        </label>
      ))}
    </fieldset>
  )
}

function PlanFacts({ plan, chosen }: { plan: Plan; chosen: boolean }) {
  const { t, language } = useTranslation()
  const left =
    orderable(plan) === null ? t('buy.soldOut') : t('buy.left', { left: formatCount(plan.unitsLeft), unit: plan.unit })
  return (
    <span className="plan-facts">
      <span className="plan-line">
        <span className="plan-name">
          {plan.picture !== null && (
            <OutsidePicture url={plan.picture} width={32} height={32} instead={<Icon name="computing" />} />
          )}
          {textIn(plan.name, language)}
        </span>
        <span className="plan-price">
          <Amount value={plan.unitPrice} unit={`USDT / ${plan.unit}`} />
        </span>
      </span>
      <span className="plan-line plan-small">
        <span>
          {formatDays(plan.termDays, languageTag[language])} ·{' '}
          {t('buy.fee', { rate: formatPercent(plan.serviceFeeRate) })}
        </span>
        <span>{left}</span>
      </span>
      {chosen && <span className="plan-small">{textIn(plan.description, language)}</span>}
    </span>
  )
}
