import { useState } from 'react'
import { useReadPages } from '../../api/use-read-pages.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { IncomeCard } from './income-card.tsx'
import { IncomeChart } from './income-chart.tsx'
import type { Income } from './income-type.ts'
import { languageTag } from '@candela/protocol/language'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatDay, formatTime } from '../../lib/format.ts'
import '../../ui/list/entry-row.css'
import './income-list.css'

/** One income; a tap opens what it was computed from. */
function IncomeRow({ income, open }: { income: Income; open: () => void }) {
  const { t, language } = useTranslation()
  const { id, type, asset, amount, day, at } = income
  const tag = languageTag[language]
  return (
    <button type="button" className="entry-row" data-income={id} data-day={day ?? undefined} onClick={open}>
      <span className="entry-row-what">{t(`income.${type}`)}</span>
      <span className="entry-row-amount">
        +<Amount value={amount} unit={asset} digits={6} />
      </span>
      <span className="entry-row-note">
        {day === null ? formatTime(at, tag) : t('income.ofDay', { day: formatDay(day, tag) })}
      </span>
    </button>
  )
}

const filters = ['all', 'output', 'referral'] as const
type Filter = (typeof filters)[number]

/** Shows what power and invitations have earned: thirty days at a glance, then each income with what it was computed from. */
export default function IncomeList({ path }: { path: Path }) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState<Filter>('all')
  const [shown, setShown] = useState<Income | null>(null)
  const incomes = useReadPages('GET user/incomeList', filter === 'all' ? {} : { type: filter })
  return (
    <Screen path={path}>
      <IncomeChart />
      <Segmented
        look="pills"
        label={t('income.filter')}
        options={filters}
        textOf={(each) => t(`income.${each}`)}
        value={filter}
        onChange={setFilter}
      />
      <PagedList query={incomes} keyOf={({ id }) => id} itemHeight={64} empty={<NoIncome filter={filter} />}>
        {(income) => <IncomeRow income={income} open={() => setShown(income)} />}
      </PagedList>
      <IncomeCard income={shown} onClose={() => setShown(null)} />
    </Screen>
  )
}

function NoIncome({ filter }: { filter: Filter }) {
  const { t } = useTranslation()
  if (filter === 'referral')
    return (
      <StateView
        icon="invitation"
        title={t('income.noReferral')}
        text={t('income.noReferralText')}
        action={
          <RouteLink to="/invitation" className="button income-go">
            {t('route.invitation')}
          </RouteLink>
        }
      />
    )
  return (
    <StateView
      icon="incomeList"
      title={t('income.none')}
      text={t('income.noneText')}
      action={
        <RouteLink to="/computing" className="button income-go">
          {t('home.buy')}
        </RouteLink>
      }
    />
  )
}
