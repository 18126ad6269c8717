import { languageTag } from '@candela/protocol/language'
import { useState } from 'react'
import { ActionSheet } from '../../command/action-sheet.tsx'
import type { Review } from '../../command/use-review.ts'
import { PricePicture } from '../../lending/safety/price-picture.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDay, formatCost } from '../../lib/format.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import { minimumOf } from './minimum-of.ts'
import { RiskLabel } from './risk-label.tsx'
import { safetyPriceOf } from './safety-price.ts'
import type { LeverQuote } from './use-lever-quote.ts'

type Props = {
  /** Null before it was ever open. */
  quote: LeverQuote | null
  review: Pick<Review<unknown>, 'isOpen' | 'state' | 'renew' | 'close'>
  confirm: (acceptWarning: boolean) => Promise<void>
}

/** The exact terms once more. A position that starts above the safety line needs a yes of its own. */
export function OpenSheet({ quote, review, confirm }: Props) {
  const { t, language } = useTranslation()
  const [accepted, setAccepted] = useState(false)
  const needsYes = quote !== null && quote.status !== 'safe'
  const leave = () => {
    setAccepted(false)
    review.close()
  }
  return (
    <ActionSheet
      open={review.isOpen}
      title={t('lever.review')}
      action={t('lever.confirm')}
      dimmed={needsYes && !accepted}
      review={review}
      run={async () => {
        if (needsYes && !accepted) return
        await confirm(accepted)
        setAccepted(false)
      }}
      close={leave}
    >
      {quote !== null && (
        <>
          <p>
            {t('lever.sentence', {
              margin: formatAmount(quote.margin, 4),
              loan: formatAmount(quote.loan, 4),
              asset: quote.asset,
              repayment: formatCost(quote.repayment, 4),
              interest: formatCost(quote.interest, 4),
              day: formatDay(quote.dueOn, languageTag[language]),
            })}
          </p>
          <dl className="rows">
            <Row label={t('lever.deposit')} value={<Amount value={quote.margin} unit="USDT" digits={6} />} />
            <Row label={t('lever.loan')} value={<Amount value={quote.loan} unit="USDT" digits={6} />} />
            <Row
              label={t('lever.bought')}
              value={<Amount value={quote.bought} unit={quote.asset} digits={6} />}
              note={t('lever.atLeast', { amount: formatAmount(minimumOf(quote.bought), 6), asset: quote.asset })}
            />
            <Row label={t('lever.repayment')} value={<Amount value={quote.repayment} unit="USDT" digits={6} />} />
            <Row label={t('lever.risk')} value={<RiskLabel risk={quote.risk} />} />
          </dl>
          <PricePicture
            asset={quote.asset}
            price={quote.price.used}
            safetyPrice={safetyPriceOf(quote)}
            liquidationPrice={quote.liquidationPrice}
          />
          {needsYes && (
            <label className="lever-accept">
              <input type="checkbox" checked={accepted} onChange={(event) => setAccepted(event.target.checked)} />
              <span>{t('lever.accept')}</span>
            </label>
          )}
          <p className="muted small">{t('lever.reviewNote')}</p>
        </>
      )}
    </ActionSheet>
  )
}
