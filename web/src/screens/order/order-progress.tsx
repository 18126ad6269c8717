import { languageTag } from '@candela/protocol/language'
import { useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { payAgain, sentPayments } from '../../app/buy-power.ts'
import type { PlainKey } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount.tsx'
import { Button } from '../../ui/button.tsx'
import { ChainLink } from '../../ui/chain-link.tsx'
import { formatCountdown, formatDay } from '../../ui/format.ts'
import { useNow } from '../../ui/use-now.ts'
import type { Order } from './order.tsx'

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
      return <Confirming order={order} />
    case 'active':
      return <p className="order-note">{t('order.activeText', { from: day(order.startsOn), to: day(order.endsOn) })}</p>
    case 'expired':
      return <p className="order-note">{t('order.expiredText', { to: day(order.endsOn) })}</p>
    case 'cancelled':
      return <p className="order-note">{t('order.cancelledText')}</p>
    case 'late':
    case 'mismatch':
    default:
      return <p className="order-note">{t(whereMoneyWent(order))}</p>
  }
}

function whereMoneyWent({ state, payment }: Order): PlainKey {
  const outcome = payment?.outcome ?? 'open'
  if (state === 'late' && (outcome === 'balance' || outcome === 'suspense')) return `order.late.${outcome}`
  return `order.outcome.${outcome}`
}

function ToPay({ order, isFirstToPay }: Props) {
  const { t } = useTranslation()
  const now = useNow()
  const [busy, setBusy] = useState(false)
  const leftMs = Date.parse(order.payBefore) - now
  const onItsWay = sentPayments.onItsWay(order.orderNo, now)
  if (onItsWay !== null) return <OnItsWay hash={onItsWay} />
  if (leftMs <= 0 || order.transaction === null) return <p className="order-note">{t('order.timeUp')}</p>
  const pay = async () => {
    setBusy(true)
    try {
      await payAgain(order)
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
      <Button look={isFirstToPay ? 'primary' : 'quiet'} busy={busy} onClick={() => void pay()}>
        {t('order.pay')}
      </Button>
    </div>
  )
}

/** The wallet has sent it and the chain has not shown it yet: no second payment is offered meanwhile. */
function OnItsWay({ hash }: { hash: string }) {
  const { t } = useTranslation()
  const network = useCall('GET home/public', {}).data?.network
  return (
    <output className="order-chain">
      <p className="order-note">{t('order.onItsWay')}</p>
      <ChainLink kind="transaction" value={hash} what={t('order.transaction')} network={network} />
    </output>
  )
}

function Confirming({ order }: { order: Order }) {
  const { t } = useTranslation()
  const network = useCall('GET home/public', {}).data?.network
  const { payment } = order
  if (payment === null) return null
  const { confirmations, confirmationsNeeded, txHash } = payment
  const done = Math.min(confirmations, confirmationsNeeded)
  return (
    <div className="order-chain">
      <progress
        className="progress"
        value={done}
        max={confirmationsNeeded}
        aria-label={t('order.confirmations', { done, needed: confirmationsNeeded })}
      />
      <div className="order-line">
        <span>{t('order.confirmations', { done, needed: confirmationsNeeded })}</span>
        <ChainLink kind="transaction" value={txHash} what={t('order.transaction')} network={network} />
      </div>
      <p className="order-note">{t('order.confirmingText')}</p>
    </div>
  )
}
