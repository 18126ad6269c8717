import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Segmented } from '../../ui/control/segmented.tsx'
import { formatCount } from '../../lib/format.ts'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { Stepper } from '../../ui/control/stepper.tsx'
import { orderable, type Plan } from './plan.ts'
import { PlanChoice } from './plan-choice.tsx'
import { Quote } from './quote.tsx'
import './computing.css'

/** Buying computing power: a plan, a quantity, what it costs now, and the payment. */
export default function Computing({ path }: { path: Path }) {
  const plans = useRead('GET power/plans', {})
  const loading = (
    <div className="stack" aria-busy="true">
      <Skeleton width="100%" height={92} />
      <Skeleton width="100%" height={92} />
      <Skeleton width="100%" height={92} />
    </div>
  )
  return (
    <Screen path={path}>
      <QueryView query={plans} loading={loading} empty={{ when: ({ items }) => items.length === 0, view: <NoPlans /> }}>
        {({ items }) => <Buy plans={items} />}
      </QueryView>
    </Screen>
  )
}

function NoPlans() {
  const { t } = useTranslation()
  return (
    <StateView
      icon="computing"
      title={t('buy.noPlans')}
      text={t('buy.noPlansText')}
      action={
        <RouteLink to="/order" className="button quiet-link">
          {t('coming.go', { where: t('route.order') })}
        </RouteLink>
      }
    />
  )
}

function Buy({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation()
  const [wantedId, setWantedId] = useState<string | null>(null)
  const [wantedUnits, setWantedUnits] = useState<number | null>(null)
  const [asset, setAsset] = useState<'JU' | 'USDT'>('JU')
  const plan = plans.find(({ id }) => id === wantedId) ?? plans.find((each) => orderable(each) !== null) ?? plans[0]
  const bounds = plan === undefined ? null : orderable(plan)
  const units = bounds === null ? null : Math.max(bounds.min, Math.min(bounds.max, wantedUnits ?? bounds.min))
  return (
    <>
      <p className="muted">{t('buy.lead')}</p>
      <PlanChoice plans={plans} chosenId={plan?.id ?? null} choose={setWantedId} />
      {plan !== undefined && bounds !== null && units !== null && (
        <>
          <Stepper
            label={t('buy.quantity')}
            hint={t('buy.range', { min: formatCount(bounds.min), max: formatCount(bounds.max), unit: plan.unit })}
            unit={plan.unit}
            value={units}
            min={bounds.min}
            max={bounds.max}
            onChange={setWantedUnits}
          />
          <Segmented label={t('pay.asset')} value={asset} options={['JU', 'USDT']} onChange={setAsset} />
          <Quote plan={plan} units={units} asset={asset} />
        </>
      )}
    </>
  )
}
