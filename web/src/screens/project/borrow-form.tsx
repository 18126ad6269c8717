import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { loanTerms } from '@candela/protocol/lending/choices'
import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { ApiError } from '@candela/client/errors'
import { useRead } from '../../api/use-read.ts'
import { useReview } from '../../command/use-review.ts'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDays } from '../../lib/format.ts'
import { useApp } from '../../session/app-context.tsx'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { AmountSlider } from '../../ui/amount/amount-slider.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { Button } from '../../ui/control/button.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { BorrowSheet } from './borrow-sheet.tsx'
import { QuoteView } from './quote-view.tsx'
import { type Term, useLoanQuote } from './use-loan-quote.ts'

/** How much, against how much, for how long; then everything that follows from it, and only then the question. */
export function BorrowForm({ project }: { project: ProjectItem }) {
  const { t, language } = useTranslation()
  const app = useApp()
  const { projectNo, collateralAsset, available, minLoan } = project
  const terms = loanTerms.filter((term) => project.termDays.includes(Number(term)))
  const [typed, setTyped] = useState('')
  /** Null until somebody chooses more than what is needed. */
  const [typedCollateral, setTypedCollateral] = useState<string | null>(null)
  const [days, setDays] = useState<Term>(terms[0] ?? '30')
  const [asked, setAsked] = useState(false)
  const balances = useRead('GET user/info', {}, { pollMs: () => 15_000 }).data?.balances
  const own = balances?.find(({ asset }) => asset === collateralAsset)
  const max = own === undefined ? undefined : toBaseUnits(own.available)
  const read = readAmount(typed, { max: toBaseUnits(available) })
  const amount = 'amount' in read && read.amount >= toBaseUnits(minLoan) ? read.amount : null
  const readCollateral = typedCollateral === null ? null : readAmount(typedCollateral, max === undefined ? {} : { max })
  const collateral = readCollateral !== null && 'amount' in readCollateral ? readCollateral.amount : null
  const { quote: ofThis, shown: ofAny, error, isWaiting } = useLoanQuote({ projectNo, amount, collateral, days })
  const quote = ofThis?.data ?? null
  const shown = error === null ? ofAny : null
  const needed = shown === null ? null : toBaseUnits(shown.data.collateralNeeded)
  const shownCollateral = typedCollateral ?? shown?.data.collateralNeeded ?? ''
  const isTooLittle = collateral !== null && needed !== null && collateral < needed
  const isShort = needed !== null && max !== undefined && needed > max
  const complete = quote !== null && !isTooLittle && !isShort && (readCollateral === null || collateral !== null)
  // The shown quote can be agreed to as long as its collateral is enough, and what it costs is the same.
  const review = useReview(
    complete ? { quote, days } : null,
    (agreed, live) =>
      toBaseUnits(live.quote.collateralNeeded) <= toBaseUnits(agreed.quote.collateral) &&
      live.quote.rate === agreed.quote.rate &&
      live.quote.repayment === agreed.quote.repayment,
  )
  const borrow = async () => {
    if (review.terms === null) return
    const { amount: lent, collateral: pledged } = review.terms.quote
    const command = { projectNo, amount: lent, collateral: pledged, days: review.terms.days }
    // The failure has been told already.
    const made = await sendCommand(app, 'POST lending/borrow', command).catch(() => null)
    review.close()
    await invalidateAccount('GET project/list', 'GET project/detail', 'GET lending/orders', 'GET home/overview')
    if (made === null) return
    setTyped('')
    setTypedCollateral(null)
    showToast('done', t('project.done', { amount: formatAmount(made.loan.lent, 2) }))
    app.router.go('/lending', { no: made.loan.loanNo })
  }
  const tooSmall =
    'amount' in read && amount === null ? t('project.tooSmall', { amount: formatAmount(minLoan, 2) }) : null
  return (
    <form
      className="project-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (complete) review.open({ quote, days })
      }}
    >
      <AmountInput
        label={t('project.amount')}
        value={typed}
        onChange={setTyped}
        unit="USDT"
        available={toBaseUnits(available)}
        availableLabel={t('project.available')}
        hint={t('project.amountHint', { amount: formatAmount(minLoan, 2) })}
        problem={tooSmall ?? (asked && typed.trim() === '' ? t('amount.empty') : null)}
      />
      <Segmented
        label={t('project.days')}
        options={terms}
        textOf={(term) => formatDays(Number(term), languageTag[language])}
        value={days}
        onChange={setDays}
      />
      <div className="stack">
        <AmountInput
          label={t('project.pledge')}
          value={shownCollateral}
          onChange={setTypedCollateral}
          unit={collateralAsset}
          available={max}
          hint={
            needed === null
              ? t('project.pledgeHint')
              : t('project.needed', { amount: formatAmount(needed, 6), asset: collateralAsset })
          }
          problem={
            isShort
              ? t('project.short', { amount: formatAmount(needed, 6), asset: collateralAsset })
              : isTooLittle
                ? t('project.needed', { amount: formatAmount(needed, 6), asset: collateralAsset })
                : null
          }
        />
        <AmountSlider
          label={t('project.pledge')}
          min={needed ?? 0n}
          max={needed === null ? 0n : (max ?? 0n)}
          value={collateral ?? needed}
          unit={collateralAsset}
          onChange={setTypedCollateral}
        />
      </div>
      {error !== null && (
        <p className="project-problem" role="alert">
          {error instanceof ApiError ? error.message : t('http.connect')}
        </p>
      )}
      {shown !== null && !isTooLittle && (
        <QuoteView project={project} quote={shown.data} days={Number(shown.input.days)} dimmed={quote === null} />
      )}
      <Button submit block look="primary" busy={isWaiting} dimmed={!complete}>
        {t('project.next')}
      </Button>
      <BorrowSheet project={project} quote={review.terms?.quote ?? null} review={review} confirm={borrow} />
    </form>
  )
}
