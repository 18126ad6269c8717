import { leverTermDays } from '@candela/protocol/lending/choices'
import { collateralAssets, type CollateralAsset } from '@candela/protocol/lending/choices'
import { MAX_RATIO_TENTHS, MIN_RATIO_TENTHS } from '@candela/protocol/lending/lever/leverage'
import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { ApiError } from '@candela/client/errors'
import { useReview } from '../../command/use-review.ts'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { ChargesRows } from '../../lending/charges-rows.tsx'
import { Fold } from '../../ui/control/fold.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatDays } from '../../lib/format.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { useApp } from '../../session/app-context.tsx'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { Button } from '../../ui/control/button.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { minimumOf } from './minimum-of.ts'
import { OpenSheet } from './open-sheet.tsx'
import { QuoteRows } from './quote-rows.tsx'
import { RatioField } from './ratio-field.tsx'
import { type Options, ratioText, type Term, useLeverQuote } from './use-lever-quote.ts'

type Props = { options: Options; opened: () => void }

/** Margin, ratio and term; then everything that follows, and only then the question. */
export function OpenForm({ options, opened }: Props) {
  const { t, language } = useTranslation()
  const app = useApp()
  const [asset, setAsset] = useState<CollateralAsset>('JU')
  const [typed, setTyped] = useState('')
  const [wanted, setTenths] = useState(MIN_RATIO_TENTHS)
  const max = maxTenths(options, asset)
  const tenths = Math.min(wanted, max)
  const terms = leverTermDays.filter((term) => options.termDays.includes(Number(term)))
  const [days, setDays] = useState<Term>(terms[0] ?? '7')
  const [asked, setAsked] = useState(false)
  const available = toBaseUnits(options.available)
  const read = readAmount(typed, { max: available })
  const isSmall = 'amount' in read && read.amount < toBaseUnits(options.minMargin)
  const margin = 'amount' in read && !isSmall ? read.amount : null
  const { quote: ofThis, shown, error, isWaiting } = useLeverQuote({ asset, margin, ratio_tenths: tenths, days })
  const quote = ofThis?.data ?? null
  // At another price the service still buys as much as was agreed to, or refuses.
  const review = useReview(
    quote === null ? null : { quote, tenths, days },
    (agreed, live) =>
      toBaseUnits(live.quote.bought) >= toBaseUnits(minimumOf(agreed.quote.bought)) &&
      live.quote.status === agreed.quote.status,
  )
  const minMargin = formatAmount(options.minMargin, 2)
  const open = async (acceptWarning: boolean) => {
    if (review.terms === null) return
    const { quote: agreed, tenths: ratio, days: term } = review.terms
    const command = {
      asset: agreed.asset,
      margin: agreed.margin,
      ratio: ratioText(ratio),
      days: term,
      minBought: minimumOf(agreed.bought),
      acceptWarning: acceptWarning ? ('1' as const) : ('0' as const),
    }
    // The failure has been told already.
    const made = await sendCommand(app, 'POST lever/open', command).catch(() => null)
    review.close()
    await invalidateAccount('GET lever/options', 'GET lever/quote', 'GET lending/orders', 'GET home/overview')
    if (made === null) return
    setTyped('')
    showToast('done', t('lever.opened'))
    opened()
  }
  return (
    <form
      className="lever-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (quote !== null) review.open({ quote, tenths, days })
      }}
    >
      <Segmented label={t('lever.asset')} options={collateralAssets} value={asset} onChange={setAsset} />
      <AmountInput
        label={t('lever.margin')}
        value={typed}
        onChange={setTyped}
        unit="USDT"
        available={available}
        availableLabel={t('lever.available')}
        hint={t('lever.marginHint', { amount: minMargin })}
        problem={
          isSmall
            ? t('lever.marginSmall', { amount: minMargin })
            : asked && typed.trim() === ''
              ? t('amount.empty')
              : null
        }
      />
      {available < toBaseUnits(options.minMargin) && (
        <RouteLink to="/deposit" className="button quiet-link">
          {t('lever.toDeposit')}
        </RouteLink>
      )}
      <RatioField tenths={tenths} max={max} onChange={setTenths} />
      <Segmented
        label={t('lever.days')}
        options={terms}
        textOf={(term) => formatDays(Number(term), languageTag[language])}
        value={days}
        onChange={setDays}
      />
      {error !== null && (
        <p className="lever-problem" role="alert">
          {error instanceof ApiError ? error.message : t('http.connect')}
        </p>
      )}
      {error === null && shown !== null && (
        <QuoteRows quote={shown.data} days={Number(shown.input.days)} dimmed={quote === null} />
      )}
      <Button submit block look="primary" busy={isWaiting} dimmed={quote === null}>
        {t('lever.next')}
      </Button>
      <Fold title={t('lever.terms')}>
        <ChargesRows
          charges={options.charges}
          lines={{ safetyLine: options.safetyLine, clearingLine: options.clearingLine }}
        />
      </Fold>
      <OpenSheet quote={review.terms?.quote ?? null} review={review} confirm={open} />
    </form>
  )
}

/** While the price is paused nothing can be opened: the quote says so, and the slider stays whole. */
function maxTenths({ assets }: Options, asset: CollateralAsset): number {
  const offered = assets.find((one) => one.asset === asset)
  if (offered === undefined || offered.paused) return MAX_RATIO_TENTHS
  return offered.maxRatio === null ? MIN_RATIO_TENTHS : Number(toBaseUnits(offered.maxRatio, 1))
}
