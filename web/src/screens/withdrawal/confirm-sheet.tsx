import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { ActionSheet } from '../../command/action-sheet.tsx'
import type { Review } from '../../command/use-review.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatTime } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'
import type { Quote } from './withdrawal-types.ts'

type Props = {
  /** `amount` in base units. */
  review: Review<{ quote: Quote; amount: bigint }>
  confirm: () => Promise<void>
}

/** The exact terms once more, and the one tap that asks for it. */
export function ConfirmSheet({ review, confirm }: Props) {
  const { t } = useTranslation()
  const { terms, close } = review
  return (
    <ActionSheet
      open={review.isOpen}
      title={t('withdraw.review')}
      action={t('withdraw.confirm')}
      review={review}
      run={confirm}
      close={close}
    >
      {terms !== null && <Contents quote={terms.quote} amount={terms.amount} />}
    </ActionSheet>
  )
}

function Contents({ quote, amount }: { quote: Quote; amount: bigint }) {
  const { t, language } = useTranslation()
  return (
    <>
      <p className="withdrawal-figure">
        <Amount value={fromBaseUnits(amount - toBaseUnits(quote.fee))} unit={quote.asset} digits={18} />
      </p>
      <dl className="rows">
        <Row label={t('withdraw.amount')} value={<Amount value={amount} unit={quote.asset} digits={18} />} />
        <Row label={t('withdraw.fee')} value={<Amount value={quote.fee} unit={quote.asset} digits={18} />} />
        <Row label={t('withdraw.to')} value={<code className="breakable">{quote.to}</code>} />
        {quote.expectedAt !== null && (
          <Row
            label={t('withdraw.expected')}
            value={<time dateTime={quote.expectedAt}>{formatTime(quote.expectedAt, languageTag[language])}</time>}
          />
        )}
      </dl>
      <p className="muted small">{t(quote.needsReview ? 'withdraw.needsReview' : 'withdraw.note')}</p>
    </>
  )
}
