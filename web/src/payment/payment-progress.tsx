import type { Data } from '@candela/protocol/endpoints'
import { useRead } from '../api/use-read.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { ChainLink } from '../ui/control/chain-link.tsx'
import { useApp } from '../session/app-context.tsx'
import { useServerNow } from '../api/server-time.ts'
import { Progress } from '../ui/picture/progress.tsx'
import { sentPayments } from './payment.ts'
import './payment-progress.css'

type Payment = NonNullable<Data<'GET deposit/list'>['items'][number]['payment']>

/** A payment that the wallet has sent and the chain has not shown yet: no second payment is offered meanwhile. */
export function PaymentSent({ hash }: { hash: string }) {
  const { t } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  return (
    <output className="payment-progress">
      <p className="payment-note">{t('pay.onItsWay')}</p>
      <ChainLink kind="transaction" value={hash} what={t('pay.transaction')} network={network} />
    </output>
  )
}

/** The wallet was asked for the payment before, and may still be about to pay it. */
export function OldPrompt({ reference }: { reference: string }) {
  const { t } = useTranslation()
  const now = useServerNow()
  if (!sentPayments(useApp()).mayBeOpen(reference, now)) return null
  return <p className="payment-note">{t('pay.oldPrompt')}</p>
}

/** A payment in a block: how many blocks stand on it, of those that it needs, and what follows. */
export function Confirming({ payment, text }: { payment: Payment; text: string }) {
  const { t } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  const { confirmations, confirmationsNeeded: needed, txHash } = payment
  const done = Math.min(confirmations, needed)
  return (
    <div className="payment-progress">
      <Progress value={done} max={needed} label={t('pay.confirmations', { done, needed })} />
      <div className="payment-line">
        <span>{t('pay.confirmations', { done, needed })}</span>
        <ChainLink kind="transaction" value={txHash} what={t('pay.transaction')} network={network} />
      </div>
      <p className="payment-note">{text}</p>
    </div>
  )
}
