import { useState } from 'react'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Row } from '../../ui/list/row.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import type { Quote } from './withdrawal-types.ts'

type Props = {
  open: boolean
  quote: Quote | undefined
  /** Base units. */
  amount: bigint | null
  confirm: () => Promise<void>
  close: () => void
}

/** The exact terms once more, and the one tap that asks for it. */
export function ConfirmSheet({ open, quote, amount, confirm, close }: Props) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const act = async () => {
    setBusy(true)
    try {
      await confirm()
    } finally {
      setBusy(false)
    }
  }
  const shown = open && quote !== undefined && amount !== null
  return (
    <Sheet
      open={shown}
      title={t('withdraw.review')}
      // While it is being sent the sheet stays open until the outcome is known.
      onClose={() => !busy && close()}
      footer={
        <Button block look="primary" busy={busy} onClick={() => void act()}>
          {t('withdraw.confirm')}
        </Button>
      }
    >
      {shown && (
        <>
          <p className="withdrawal-figure">
            <Amount value={fromBaseUnits(amount - toBaseUnits(quote.fee))} unit={quote.asset} digits={18} />
          </p>
          <dl className="rows">
            <Row label={t('withdraw.amount')} value={<Amount value={amount} unit={quote.asset} digits={18} />} />
            <Row label={t('withdraw.fee')} value={<Amount value={quote.fee} unit={quote.asset} digits={18} />} />
            <Row label={t('withdraw.to')} value={<code className="breakable">{quote.to}</code>} />
          </dl>
          <p className="muted small">{t(quote.needsReview ? 'withdraw.needsReview' : 'withdraw.note')}</p>
        </>
      )}
    </Sheet>
  )
}
