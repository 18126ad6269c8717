import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { languageTag } from '@candela/protocol/language'
import { ActionSheet } from '../../command/action-sheet.tsx'
import { PricePicture } from '../../credit/safety/price-picture.tsx'
import { usdt } from '../../credit/usdt.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatDay, formatPercent } from '../../lib/format.ts'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import type { LoanQuote } from './use-loan-quote.ts'

type Props = {
  project: ProjectItem
  quote: LoanQuote | null
  open: boolean
  confirm: () => Promise<void>
  close: () => void
}

/** The exact terms once more: what comes now, what is locked, what is owed in the end, and what happens when the price falls. */
export function BorrowSheet({ project, quote, open, confirm, close }: Props) {
  const { t, language } = useTranslation()
  const day = quote === null ? '' : formatDay(quote.dueOn, languageTag[language])
  return (
    <ActionSheet open={open} title={t('project.review')} action={t('project.confirm')} run={confirm} close={close}>
      {quote !== null && (
        <>
          <dl className="rows">
            <Row label={t('project.youGet')} value={usdt(quote.amount)} />
            <Row
              label={t('project.locked')}
              value={<ExactAmount value={quote.collateral} unit={quote.price.asset} />}
            />
            <Row label={t('project.rate')} value={formatPercent(quote.rate)} />
            <Row label={t('project.cost')} value={usdt(quote.interest)} />
            <Row label={t('project.endOn', { day })} value={usdt(quote.repayment)} />
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
