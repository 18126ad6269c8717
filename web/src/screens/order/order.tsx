import { useState } from 'react'
import { useReadPages } from '../../api/use-read-pages.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { useOrderPolling } from '../../payment/order-polling.ts'
import { useRouter } from '../../navigation/router-context.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { useStore } from '../../lib/store.ts'
import { OrderCard } from './order-card.tsx'
import './order.css'

const filters = ['all', 'pending', 'confirming', 'active', 'expired'] as const
type Filter = (typeof filters)[number]

/** Orders of computing power, each with the state that it is in and what can be done about it. */
export default function Orders({ path }: { path: Path }) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState<Filter>('all')
  const { query } = useStore(useRouter().place)
  const pollMs = useOrderPolling()
  const orders = useReadPages('GET power/orderList', filter === 'all' ? {} : { state: filter }, (pages) =>
    pollMs(pages.flatMap(({ items }) => items)),
  )
  const firstToPay = orders.data?.pages.flatMap(({ items }) => items).find(({ state }) => state === 'pending')?.orderNo
  return (
    <Screen path={path}>
      <Segmented
        look="chips"
        label={t('order.filter')}
        options={filters}
        textOf={(each) => (each === 'all' ? t('order.all') : t(`order.state.${each}`))}
        value={filter}
        onChange={setFilter}
      />
      <PagedList
        query={orders}
        keyOf={({ orderNo }) => orderNo}
        itemHeight={148}
        empty={<NoOrders filtered={filter !== 'all'} />}
      >
        {(order) => (
          <OrderCard
            order={order}
            isFirstToPay={order.orderNo === firstToPay}
            isWanted={order.orderNo === query['no']}
          />
        )}
      </PagedList>
    </Screen>
  )
}

function NoOrders({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation()
  if (filtered) return <StateView icon="order" title={t('order.emptyFilter')} />
  return (
    <StateView
      icon="order"
      title={t('order.empty')}
      text={t('order.emptyText')}
      action={
        <RouteLink to="/computing" className="button order-buy">
          {t('home.buy')}
        </RouteLink>
      }
    />
  )
}
