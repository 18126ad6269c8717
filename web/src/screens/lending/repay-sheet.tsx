import { useServerNow } from '../../api/server-time.ts'
import { FORGIVEN_MINUTES } from '@candela/protocol/lending/repayment'
import { languageTag } from '@candela/protocol/language'
import { DAY_MS } from '@candela/protocol/units'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { ActionSheet } from '../../command/action-sheet.tsx'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount, formatTime } from '../../lib/format.ts'
import { AllowanceChoice } from '../../payment/allowance-choice.tsx'
import { type Allow, sentPayments } from '../../payment/payment.ts'
import { useSeenPayments } from '../../payment/order-polling.ts'
import { OldPrompt, PaymentSent } from '../../payment/payment-progress.tsx'
import { useWalletFigures } from '../../payment/wallet-figures.ts'
import { useApp } from '../../session/app-context.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { ChoiceCards } from '../../ui/control/choice-cards.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { Row } from '../../ui/list/row.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import type { Detail, Payoff } from './loan-types.ts'
import { CLOCK_SLACK_MS, payFromWallet } from './pay-from-wallet.ts'

const modes = ['full', 'next', 'amount'] as const
type Mode = (typeof modes)[number]
const sources = ['balance', 'wallet'] as const
/** Until the end of which day a payment on chain ends the loan. */
type Until = 'today' | 'nextDay'
type Source = (typeof sources)[number]

type Props = { open: boolean; detail: Detail; close: () => void }

/** Everything, the next installment or an amount; from the balance, or straight from the wallet. */
export function RepaySheet({ open, detail, close }: Props) {
  const { t } = useTranslation()
  const app = useApp()
  const { loan } = detail
  const [mode, setMode] = useState<Mode>('full')
  const [source, setSource] = useState<Source>('balance')
  const [until, setUntil] = useState<Until>('today')
  const [typed, setTyped] = useState('')
  const [allow, setAllow] = useState<Allow>('exact')
  const [asked, setAsked] = useState(false)
  const { loanNo } = loan
  const payoff = useRead('GET lending/payoff', { loanNo }, { enabled: open, pollMs: () => 30_000 })
  const wallet = useWalletFigures('USDT', open && source === 'wallet')
  const sent = useSentPayment(loanNo, open)
  const max = source === 'wallet' ? wallet?.balance : payoff.data && toBaseUnits(payoff.data.available)
  const isByBlock = source === 'wallet' && mode === 'full'
  const mayWait =
    isByBlock && payoff.data !== undefined && max !== undefined && max >= toBaseUnits(payoff.data.payoffNextDay)
  const amount =
    mayWait && until === 'nextDay' ? toBaseUnits(payoff.data.payoffNextDay) : amountOf(mode, payoff.data, typed)
  const isShort = amount !== null && max !== undefined && amount > max
  const complete = amount !== null && !isShort && (source === 'balance' || sent === null)
  const leave = () => {
    setTyped('')
    setAsked(false)
    close()
  }
  const run = async () => {
    setAsked(true)
    if (!complete) return
    if (source === 'wallet') {
      // Its steps are shown as they happen; the loan follows when the payment is deep enough.
      if (await payFromWallet(app, { loanNo, amount, allow }, () => void refresh())) leave()
    } else {
      const shown = fromBaseUnits(amount)
      const command = { loanNo, mode, amount: shown, ...(mode !== 'amount' && { maxAmount: shown }) }
      // The failure has been told already.
      const done = await sendCommand(app, 'POST lending/repay', command).catch(() => null)
      if (done !== null) {
        showToast('done', t('lending.repayDone', { amount: formatAmount(done.paid, 6) }))
        leave()
      }
    }
    await refresh()
  }
  return (
    <ActionSheet
      open={open}
      title={t('lending.repay')}
      action={amount === null ? t('lending.repay') : t('lending.pay', { amount: formatAmount(amount, 6) })}
      dimmed={!complete}
      run={run}
      close={leave}
    >
      <Segmented
        label={t('lending.mode')}
        options={modes}
        textOf={(each) => t(`lending.mode.${each}`)}
        value={mode}
        onChange={setMode}
      />
      <QueryView query={payoff} loading={<Skeleton width="100%" height={220} />}>
        {(data) => <PayoffRows payoff={data} mode={mode} />}
      </QueryView>
      {mode === 'amount' && (
        <AmountInput
          label={t('lending.amount')}
          value={typed}
          onChange={setTyped}
          unit="USDT"
          available={max}
          availableLabel={source === 'wallet' ? t('lending.inWallet') : undefined}
          hint={t('lending.amountHint')}
          problem={asked && typed.trim() === '' ? t('amount.empty') : null}
        />
      )}
      <Segmented
        label={t('lending.source')}
        options={sources}
        textOf={(each) => t(`lending.source.${each}`)}
        value={source}
        onChange={setSource}
      />
      {max !== undefined && mode !== 'amount' && (
        <p className="muted small">
          {t(source === 'wallet' ? 'lending.inWallet' : 'amount.available')}{' '}
          <Amount value={max} unit="USDT" digits={6} />
        </p>
      )}
      {isByBlock && payoff.data && (
        <BlockDay payoff={payoff.data} value={until} onChange={mayWait ? setUntil : undefined} />
      )}
      {source === 'wallet' && (
        <AllowanceChoice asset="USDT" amount={amount} figures={wallet} value={allow} onChange={setAllow} />
      )}
      {source === 'wallet' && (sent === null ? <OldPrompt reference={loanNo} /> : <PaymentSent hash={sent} />)}
      {isShort && mode !== 'amount' && (
        <p className="field-error" role="alert">
          {t('amount.notEnough')}
        </p>
      )}
      {!isShort && (
        <p className="muted small">{t(source === 'wallet' ? 'lending.walletNote' : 'lending.balanceNote')}</p>
      )}
    </ActionSheet>
  )
}

const refresh = (): Promise<void> =>
  invalidateAccount(
    'GET lending/detail',
    'GET lending/orders',
    'GET lending/entries',
    'GET lending/payoff',
    'GET home/overview',
  )

function amountOf(mode: Mode, payoff: Payoff | undefined, typed: string): bigint | null {
  if (mode === 'amount') {
    const read = readAmount(typed)
    return 'amount' in read ? read.amount : null
  }
  return payoff === undefined ? null : toBaseUnits(mode === 'full' ? payoff.payoff : payoff.next)
}

/** A repayment that this device's wallet has sent and that the loan does not show yet. */
function useSentPayment(loanNo: string, enabled: boolean): string | null {
  const payments = sentPayments(useApp())
  const now = useServerNow()
  const sent = payments.sentFor(loanNo, now)
  /** A wallet that has not answered may have sent it all the same. */
  const asked = sent ?? payments.askedFor(loanNo, now)
  const entries = useRead(
    'GET lending/entries',
    { loanNo, limit: '20' },
    { enabled: enabled && asked !== null, pollMs: () => 3_000 },
  )
  // A wallet may name another transaction than the one that pays.
  const isSeen = entries.data?.items.some(
    ({ txHash, at }) =>
      asked !== null && txHash !== null && (txHash === sent?.hash || Date.parse(at) > asked.at - CLOCK_SLACK_MS),
  )
  useSeenPayments(isSeen === true ? [loanNo] : none)
  return sent === null || isSeen === true ? null : sent.hash
}

const none: readonly string[] = []

type BlockDayProps = { payoff: Payoff; value: Until; onChange: ((until: Until) => void) | undefined }

/** By when the block of a payment has to come, and a day more of interest to send with it where the wallet has it. */
function BlockDay({ payoff, value, onChange }: BlockDayProps) {
  const { t, language } = useTranslation()
  const end = Date.parse(payoff.expiresAt)
  const timeOf = (days: number) => formatTime(new Date(end + days * DAY_MS).toISOString(), languageTag[language])
  const byToday = t('lending.untilToday', { time: timeOf(0), minutes: FORGIVEN_MINUTES })
  if (onChange === undefined) return <p className="muted small">{byToday}</p>
  return (
    <ChoiceCards
      label={t('lending.until')}
      options={[
        { value: 'today', title: `${formatAmount(payoff.payoff, 6)} USDT`, text: byToday },
        {
          value: 'nextDay',
          title: `${formatAmount(payoff.payoffNextDay, 6)} USDT`,
          text: t('lending.untilNextDay', { time: timeOf(1) }),
        },
      ]}
      value={value}
      onChange={onChange}
    />
  )
}

function PayoffRows({ payoff, mode }: { payoff: Payoff; mode: Mode }) {
  const { t } = useTranslation()
  const row = (key: 'principal' | 'interest' | 'charges' | 'fees') =>
    toBaseUnits(payoff[key]) > 0n && (
      <Row label={t(`lending.${key}`)} value={<Amount value={payoff[key]} unit="USDT" digits={6} />} />
    )
  return (
    <dl className="rows">
      {mode === 'next' && (
        <Row label={t('lending.next')} value={<Amount value={payoff.next} unit="USDT" digits={6} />} />
      )}
      <Row
        label={t('loans.totalDue')}
        value={<Amount value={payoff.payoff} unit="USDT" digits={6} />}
        note={t('lending.perDay', { amount: formatAmount(payoff.perDay, 6) })}
      />
      {mode === 'full' && (
        <>
          {row('principal')}
          {row('interest')}
          {row('charges')}
          {row('fees')}
        </>
      )}
    </dl>
  )
}
