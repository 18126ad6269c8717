import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { sendCommand } from '../../command/send-command.ts'
import { useQuote } from '../../command/quote/use-quote.ts'
import { useReview } from '../../command/use-review.ts'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useApp } from '../../session/app-context.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { QueryView } from '../../ui/state/query-view.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { ConfirmSheet } from './confirm-sheet.tsx'
import { Terms } from './terms.tsx'
import { WithdrawalRecords } from './withdrawal-records.tsx'
import type { Quote } from './withdrawal-types.ts'
import './withdrawal.css'

/** From the balance to one's own wallet: what it costs, what arrives, and each step until it has. */
export default function Withdrawal({ path }: { path: Path }) {
  const { t } = useTranslation()
  const app = useApp()
  const [asset, setAsset] = useState<AssetCode>('USDT')
  const [typed, setTyped] = useState('')
  /** Set when the button was tapped while something was missing; only then it is said what is missing. */
  const [asked, setAsked] = useState(false)
  const whole = readAmount(typed)
  const input = 'amount' in whole ? { asset, amount: fromBaseUnits(whole.amount) } : { asset }
  const live = useQuote('GET withdraw/quote', input, { handled: [], pollMs: () => 15_000 })
  const shown = live.shown?.data.asset === asset ? live.shown.data : undefined
  const quote = live.quote?.data
  const available = shown === undefined ? undefined : toBaseUnits(shown.available)
  const read = readAmount(typed, available === undefined ? {} : { max: available })
  const amount = 'amount' in read ? read.amount : null
  const problem = useProblem(shown, amount)
  const complete = amount !== null && problem === null && quote !== undefined && !quote.paused
  const review = useReview(
    complete ? { quote, amount } : null,
    (agreed, now) => now.quote.fee === agreed.quote.fee && now.quote.needsReview === agreed.quote.needsReview,
  )
  const next = () => {
    setAsked(true)
    if (complete) review.open({ quote, amount })
  }
  const confirm = async () => {
    if (review.terms === null) return
    const { quote: agreed, amount: wanted } = review.terms
    const command = { asset: agreed.asset, amount: fromBaseUnits(wanted), fee: agreed.fee }
    // The failure has been told already.
    const made = await sendCommand(app, 'POST withdraw/apply', command).catch(() => null)
    review.close()
    if (made !== null) {
      setTyped('')
      setAsked(false)
    }
    await invalidateAccount('GET withdraw/list', 'GET withdraw/quote')
  }
  return (
    <Screen path={path}>
      {shown?.paused === true && (
        <StateView icon="alert" title={t('withdraw.pausedTitle')} text={t('withdraw.pausedText')} />
      )}
      <form
        className="withdrawal-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          next()
        }}
      >
        <Segmented label={t('withdraw.asset')} options={assetCodes} value={asset} onChange={setAsset} />
        <AmountInput
          label={t('withdraw.amount')}
          value={typed}
          onChange={setTyped}
          unit={asset}
          available={available}
          hint={shown && t('withdraw.minimum', { minimum: shown.minimum, asset })}
          problem={problem ?? (asked && typed.trim() === '' ? t('amount.empty') : null)}
        />
        <QueryView
          query={{ ...live, data: live.shown ?? undefined }}
          loading={<Terms asset={asset} quote={undefined} />}
        >
          {() => <Terms asset={asset} quote={shown} dimmed={quote === undefined} />}
        </QueryView>
        {shown?.needsReview === true && problem === null && (
          <p className="withdrawal-notice">
            <Icon name="clock" size={20} />
            {t('withdraw.needsReview')}
          </p>
        )}
        <Button submit block look="primary" busy={live.isWaiting} dimmed={!complete} disabled={shown?.paused === true}>
          {t('withdraw.next')}
        </Button>
      </form>
      <WithdrawalRecords />
      <ConfirmSheet review={review} confirm={confirm} />
    </Screen>
  )
}

/** Why the amount cannot be withdrawn, besides how it is written and what is available. */
function useProblem(quote: Quote | undefined, amount: bigint | null): string | null {
  const { t } = useTranslation()
  if (quote === undefined || amount === null) return null
  const { asset, minimum, fee, leftToday, leftThisMonth } = quote
  if (amount < toBaseUnits(minimum)) return t('withdraw.tooLittle', { minimum, asset })
  if (amount <= toBaseUnits(fee)) return t('withdraw.notAboveFee')
  const limits = [leftToday, leftThisMonth].flatMap((limit) => (limit === null ? [] : [toBaseUnits(limit)]))
  return limits.some((limit) => amount > limit) ? t('withdraw.overLimit') : null
}
