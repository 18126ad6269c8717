import { useRead } from '../../api/use-read.ts'
import { useOrderPolling, useSettledOrders } from '../../payment/order-polling.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon } from '../../ui/picture/icon.tsx'

/** An order that waits for its payment, or a payment that waits for its confirmations. */
export function NextStep() {
  const { t } = useTranslation()
  const pollMs = useOrderPolling()
  const { data } = useRead('GET power/orderList', { limit: '10' }, { pollMs: (list) => pollMs(list?.items ?? []) })
  useSettledOrders(data?.items)
  const open =
    data?.items.find(({ state }) => state === 'confirming') ?? data?.items.find(({ state }) => state === 'pending')
  if (open === undefined) return null
  const { payment } = open
  return (
    <RouteLink to="/order" className="next-step">
      <Icon name={payment === null ? 'order' : 'clock'} />
      <span>
        {payment === null
          ? t('home.order.pending')
          : t('home.order.confirming', { done: payment.confirmations, needed: payment.confirmationsNeeded })}
      </span>
      <Icon name="forward" size={18} />
    </RouteLink>
  )
}
