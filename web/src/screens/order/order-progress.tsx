import { useServerNow } from '../../api/server-time.ts'
import { languageTag } from '@candela/protocol/language'
import { useState } from 'react'
import { payAgain } from '../../payment/buy-power.ts'
import { sentPayments } from '../../payment/payment.ts'
import { useApp } from '../../session/app-context.tsx'
import { Confirming, OldPrompt, PaymentSent } from '../../payment/payment-progress.tsx'
import type { PlainKey } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { formatCountdown, formatDay, formatTime } from '../../lib/format.ts'
import type { Order } from './order-type.ts'

type Props = { order: Order; isFirstToPay: boolean }

/** The part of an order that is about now: pay, wait for the chain, earn, or what became of the money. */
export function OrderProgress({ order, isFirstToPay }: Props) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const day = (text: string | null) => (text === null ? '—' : formatDay(text, tag))
  switch (order.state) {
    case 'pending':
      return <ToPay order={order} isFirstToPay={isFirstToPay} />
    case 'confirming':
      return (
        <>
          {order.payment && <Confirming payment={order.payment} text={t('order.confirmingText')} />}
          <Unreserved order={order} />
        </>
      )
    case 'active':
      return <p className="order-note">{t('order.activeText', { from: day(order.startsOn), to: day(order.endsOn) })}</p>
    case 'expired':
      return <p className="order-note">{t('order.expiredText', { to: day(order.endsOn) })}</p>
    case 'cancelled':
      return <p className="order-note">{t('order.cancelledText', { until: formatTime(order.watchUntil, tag) })}</p>
    case 'late':
    case 'mismatch':
    case 'soldOut':
    default:
      return <p className="order-note">{t(whereMoneyWent(order))}</p>
  }
}

/** That others may still buy the units of an order, which the buyer has to know. */
function Unreserved({ order }: { order: Order }) {
  const { t } = useTranslation()
  return order.isReserved ? null : <p className="order-note">{t('pay.unreserved')}</p>
}

function whereMoneyWent({ state, payment }: Order): PlainKey {
  const outcome = payment?.outcome ?? 'open'
  const isReturned = outcome === 'balance' || outcome === 'suspense'
  if (isReturned && (state === 'late' || state === 'soldOut')) return `order.${state}.${outcome}`
  return `order.outcome.${outcome}`
}

function ToPay({ order, isFirstToPay }: Props) {
  const { t } = useTranslation()
  const app = useApp()
  const now = useServerNow()
  const [busy, setBusy] = useState(false)
  const leftMs = Date.parse(order.payBefore) - now
  const sentHash = sentPayments(app).hashOf(order.orderNo, now)
  if (sentHash !== null) return <PaymentSent hash={sentHash} />
  if (leftMs <= 0 || order.transaction === null) return <p className="order-note">{t('order.timeUp')}</p>
  const pay = async () => {
    setBusy(true)
    try {
      await payAgain(app, order)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="order-pay">
      <p>
        <span className="figure-label">{t('order.payable')}</span>
        <span className="order-payable">
          <Amount value={order.payable} unit={order.asset} />
        </span>
        <span className="figure-note">{t('order.payWithin', { time: formatCountdown(leftMs) })}</span>
      </p>
      <Unreserved order={order} />
      <OldPrompt reference={order.orderNo} />
      <Button look={isFirstToPay ? 'primary' : 'quiet'} busy={busy} onClick={() => void pay()}>
        {t('order.pay')}
      </Button>
    </div>
  )
}
