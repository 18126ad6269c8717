import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { languageTag } from '@candela/protocol/language'
import { ActionSheet } from '../../command/action-sheet.tsx'
import type { Review } from '../../command/use-review.ts'
import { PricePicture } from '../../lending/safety/price-picture.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDay, formatPercent, formatCost } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import type { LoanQuote } from './use-loan-quote.ts'

type Props = {
  project: ProjectItem
  /** Null before it was ever open. */
  quote: LoanQuote | null
  review: Pick<Review<unknown>, 'isOpen' | 'state' | 'renew' | 'close'>
  confirm: () => Promise<void>
}

/** The exact terms once more: what comes now, what is locked, what is owed in the end, and what happens when the price falls. */
export function BorrowSheet({ project, quote, review, confirm }: Props) {
  const { t, language } = useTranslation()
  const day = quote === null ? '' : formatDay(quote.dueOn, languageTag[language])
  return (
    <ActionSheet
      open={review.isOpen}
      title={t('project.review')}
      action={t('project.confirm')}
      review={review}
      run={confirm}
      close={review.close}
    >
      {quote !== null && (
        <>
          <p>
            {t('project.sentence', {
              amount: formatAmount(quote.amount, 4),
              repayment: formatCost(quote.repayment, 4),
              interest: formatCost(quote.interest, 4),
              day,
            })}
          </p>
          <dl className="rows">
            <Row label={t('project.youGet')} value={<Amount value={quote.amount} unit="USDT" digits={6} />} />
            <Row
              label={t('project.locked')}
              value={<Amount value={quote.collateral} unit={quote.price.asset} digits={6} />}
            />
            <Row label={t('project.rate')} value={formatPercent(quote.rate)} />
            <Row label={t('project.cost')} value={<Amount value={quote.interest} unit="USDT" digits={6} />} />
            <Row
              label={t('project.endOn', { day })}
              value={<Amount value={quote.repayment} unit="USDT" digits={6} />}
            />
          </dl>
          <PricePicture
            asset={quote.price.asset}
            price={quote.price.used}
            safetyPrice={quote.safetyPrice}
            liquidationPrice={quote.liquidationPrice}
          />
          <p className="muted small">
            {t('project.reviewNote', { fee: formatPercent(project.charges.liquidationFee) })}
          </p>
        </>
      )}
    </ActionSheet>
  )
}
