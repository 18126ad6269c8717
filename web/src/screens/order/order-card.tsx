import { textIn } from '@candela/protocol/language'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Status } from '../../ui/state/status.tsx'
import type { Tone } from '../../ui/state/status.tsx'
import type { Order } from './order-type.ts'
import { OrderDetails } from './order-details.tsx'
import { OrderProgress } from './order-progress.tsx'

const tones: Record<Order['state'], Tone> = {
  pending: 'waiting',
  confirming: 'waiting',
  active: 'good',
  expired: 'calm',
  cancelled: 'calm',
  late: 'bad',
  mismatch: 'bad',
  soldOut: 'bad',
}

type Props = {
  order: Order
  isFirstToPay: boolean
}

/** One order: what it is, the state it is in, what can be done now, and every figure behind it on request. */
export function OrderCard({ order, isFirstToPay }: Props) {
  const { t, language } = useTranslation()
  const { units, unit, planName, state, costUsdt } = order
  return (
    <article className="order" data-order={order.orderNo} data-state={state}>
      <header className="card-head">
        <h2>{textIn(planName, language)}</h2>
        <Status tone={tones[state]}>{t(`order.state.${state}`)}</Status>
      </header>
      <div className="order-figures">
        <span className="order-units">
          <Amount value={String(units)} unit={unit} />
        </span>
        <Amount value={costUsdt} unit="USDT" digits={2} />
      </div>
      <OrderProgress order={order} isFirstToPay={isFirstToPay} />
      <OrderDetails order={order} />
    </article>
  )
}
