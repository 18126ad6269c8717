import { codes } from '@candela/protocol/codes/codes'
import { useMemo, useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { useReadPages } from '../../api/use-read-pages.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { useOrderPolling, useSeenPayments, useSettledOrders } from '../../payment/order-polling.ts'
import { useRouter } from '../../navigation/router-context.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { useStore } from '../../lib/store.ts'
import { OrderCard } from './order-card.tsx'
import type { Order } from './order-type.ts'
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
  const no = query['no']
  const pages = orders.data?.pages
  const shown = useMemo(() => pages?.flatMap(({ items }) => items), [pages])
  useSettledOrders(shown)
  useSeenPayments((shown ?? []).filter(({ payment }) => payment !== null).map(({ orderNo }) => orderNo))
  const listed = shown?.find(({ orderNo }) => orderNo === no)
  const named = useRead(
    'GET power/orderList',
    { orderNo: no ?? '' },
    {
      enabled: no !== undefined && shown !== undefined && listed === undefined,
      pollMs: (list) => pollMs(list?.items ?? []),
      // A link may name anything.
      handled: [codes.invalidInput],
    },
  )
  const wanted = filter === 'all' ? (listed ?? named.data?.items[0]) : undefined
  const inOrder =
    orders.data === undefined || wanted === undefined
      ? orders
      : { ...orders, data: { ...orders.data, pages: withFirst(orders.data.pages, wanted) } }
  const firstToPay = shown?.find(({ state }) => state === 'pending')?.orderNo
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
        query={inOrder}
        keyOf={({ orderNo }) => orderNo}
        itemHeight={148}
        wanted={query['no']}
        empty={<NoOrders filtered={filter !== 'all'} />}
      >
        {(order) => <OrderCard order={order} isFirstToPay={order.orderNo === firstToPay} />}
      </PagedList>
    </Screen>
  )
}

type Orders = { readonly items: readonly Order[] }

/** The order that a link names stands first, because every navigation begins at the top. */
const withFirst = <P extends Orders>(pages: readonly P[], first: Order): P[] =>
  pages.map((page, index) => {
    const others = page.items.filter(({ orderNo }) => orderNo !== first.orderNo)
    return { ...page, items: index === 0 ? [first, ...others] : others }
  })

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
