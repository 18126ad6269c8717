import { languageTag } from '@candela/protocol/language'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { CopyButton } from '../../ui/control/copy.tsx'
import { formatCount, formatDay, formatDays, formatPrice, formatTime } from '../../lib/format.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { Row } from '../../ui/list/row.tsx'
import type { Order } from './order-type.ts'

/** Every figure of an order and of its payment, exactly as it is in the books. */
export function OrderDetails({ order }: { order: Order }) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const { orderNo, costUsdt, payable, asset, price, createdAt, termDays, startsOn, endsOn, payment } = order
  const perUnit = `USDT / ${asset}`
  return (
    <details className="order-details">
      <summary>
        {t('order.details')}
        <Icon name="forward" size={16} />
      </summary>
      <dl className="rows">
        <Row
          label={t('order.no')}
          value={
            <span className="chain-link">
              <code>{orderNo}</code>
              <CopyButton text={orderNo} what={t('order.no')} />
            </span>
          }
        />
        <Row
          label={t('order.cost')}
          value={<Amount value={costUsdt} unit="USDT" digits={18} />}
          from={{ title: t('order.cost'), text: t('order.costFrom') }}
        />
        <Row
          label={t('order.payable')}
          value={<Amount value={payable} unit={asset} digits={6} />}
          from={{
            title: t('order.payable'),
            value: <ExactAmount value={payable} unit={asset} />,
            text: t('order.payableFrom'),
            inputs: [
              { label: t('order.cost'), value: <Amount value={costUsdt} unit="USDT" digits={18} /> },
              { label: t('order.price'), value: <Amount value={price} unit={perUnit} digits={10} /> },
            ],
          }}
        />
        <Row label={t('order.price')} value={`${formatPrice(price)} ${perUnit}`} />
        <Row label={t('order.created')} value={formatTime(createdAt, tag)} />
        <Row label={t('order.term')} value={formatDays(termDays, tag)} />
        {startsOn !== null && endsOn !== null && (
          <Row
            label={t('order.runs')}
            value={
              <span className="order-runs">
                {t('order.runsText', { from: formatDay(startsOn, tag), to: formatDay(endsOn, tag) })}
              </span>
            }
          />
        )}
        {payment !== null && <PaymentRows payment={payment} />}
      </dl>
    </details>
  )
}

function PaymentRows({ payment }: { payment: NonNullable<Order['payment']> }) {
  const { t, language } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  const { txHash, payer, asset, amount, blockNumber, confirmations, confirmationsNeeded, at } = payment
  return (
    <>
      <Row label={t('order.paid')} value={<Amount value={amount} unit={asset} digits={6} />} />
      <Row
        label={t('pay.transaction')}
        value={<ChainLink kind="transaction" value={txHash} what={t('pay.transaction')} network={network} />}
      />
      <Row
        label={t('order.payer')}
        value={<ChainLink kind="address" value={payer} what={t('order.payer')} network={network} />}
      />
      <Row
        label={t('order.block')}
        value={formatCount(blockNumber)}
        note={t('pay.confirmations', {
          done: Math.min(confirmations, confirmationsNeeded),
          needed: confirmationsNeeded,
        })}
      />
      <Row label={t('order.seen')} value={formatTime(at, languageTag[language])} />
    </>
  )
}
