import { useState } from 'react'
import { useReadPages } from '../../api/use-read-pages.ts'
import { LoanCard } from '../../lending/loan-card.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useStore } from '../../lib/store.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { useRouter } from '../../navigation/router-context.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { LoanDetail } from './loan-detail.tsx'
import './lending.css'

const filters = ['open', 'closed'] as const
type Filter = (typeof filters)[number]

/** Loan orders, leveraged ones included; `?no=` opens one of them. */
export default function Lending({ path }: { path: Path }) {
  const { path: at, query } = useStore(useRouter().place)
  const loanNo = at === path ? query['no'] : undefined
  return <Screen path={path}>{loanNo === undefined ? <Loans /> : <LoanDetail key={loanNo} loanNo={loanNo} />}</Screen>
}

function Loans() {
  const { t } = useTranslation()
  const router = useRouter()
  const [filter, setFilter] = useState<Filter>('open')
  const loans = useReadPages('GET lending/orders', { open: filter === 'open' ? '1' : '0' }, () => 30_000)
  return (
    <>
      <Segmented
        look="tabs"
        label={t('lending.filter')}
        options={filters}
        textOf={(each) => t(`lending.filter.${each}`)}
        value={filter}
        onChange={setFilter}
      />
      <PagedList query={loans} keyOf={({ loanNo }) => loanNo} itemHeight={220} empty={<NoLoans filter={filter} />}>
        {(loan) => <LoanCard loan={loan} open={() => router.go('/lending', { no: loan.loanNo })} />}
      </PagedList>
    </>
  )
}

function NoLoans({ filter }: { filter: Filter }) {
  const { t } = useTranslation()
  if (filter === 'closed') return <StateView icon="lending" title={t('lending.noClosed')} />
  return (
    <StateView
      icon="lending"
      title={t('lending.none')}
      text={t('lending.noneText')}
      action={
        <RouteLink to="/project" className="button lending-go">
          {t('lending.toProjects')}
        </RouteLink>
      }
    />
  )
}
