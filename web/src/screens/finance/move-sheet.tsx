import { subscriptionOf, sharesToRedeem } from '@candela/protocol/fund/fund'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { ActionSheet } from '../../command/action-sheet.tsx'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useApp } from '../../session/app-context.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { Button } from '../../ui/control/button.tsx'
import { Row } from '../../ui/list/row.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { fundOf, type Info } from './fund-types.ts'

export type Direction = 'in' | 'out'

type Props = { direction: Direction | null; info: Info; close: () => void }

/** Whole USDT into the fund or out of it, with what that means in shares before it is sent. */
export function MoveSheet({ direction, info, close }: Props) {
  const { t } = useTranslation()
  const app = useApp()
  const [last, setLast] = useState<Direction>('in')
  const [typed, setTyped] = useState('')
  /** Set by a tap on the button while something was missing; until then nobody is told what is. */
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  // The words stay while the sheet glides out.
  if (direction !== null && direction !== last) setLast(direction)
  const isIn = (direction ?? last) === 'in'
  const max = toBaseUnits(isIn ? info.transferableIn : info.transferableOut)
  const read = readAmount(typed, { decimals: 0, max })
  const amount = 'amount' in read ? read.amount : null
  const leave = () => {
    setTyped('')
    setAsked(false)
    close()
  }
  const send = async (input: { amount: string } | { all: '1' }) => {
    const key = isIn ? 'POST finance/transferIn' : 'POST finance/transferOut'
    setBusy(true)
    try {
      const done =
        key === 'POST finance/transferIn' && 'amount' in input
          ? await sendCommand(app, key, input)
          : await sendCommand(app, 'POST finance/transferOut', input)
      leave()
      showToast('plain', t(isIn ? 'finance.doneIn' : 'finance.doneOut', { amount: done.amount }))
    } catch {
      // The failure has been told already.
    } finally {
      setBusy(false)
      await invalidateAccount('GET finance/info', 'GET finance/bills', 'GET home/overview')
    }
  }
  const run = async () => {
    setAsked(true)
    if (amount !== null) await send({ amount: fromBaseUnits(amount) })
  }
  const [total, idle] = [toBaseUnits(info.total), toBaseUnits(info.idle)]
  return (
    <ActionSheet
      open={direction !== null}
      title={t(isIn ? 'finance.in' : 'finance.out')}
      action={t(isIn ? 'finance.confirmIn' : 'finance.confirmOut')}
      dimmed={amount === null}
      run={run}
      close={leave}
      besides={
        !isIn &&
        total > 0n && (
          <Button block busy={busy} disabled={total > idle} onClick={() => void send({ all: '1' })}>
            {t('finance.takeAll')}
          </Button>
        )
      }
    >
      <AmountInput
        label={t('finance.quantity')}
        value={typed}
        onChange={setTyped}
        unit="USDT"
        decimals={0}
        available={max}
        availableLabel={t(isIn ? 'finance.transferableIn' : 'finance.transferableOut')}
        hint={t('amount.notWhole')}
        problem={asked && typed.trim() === '' ? t('amount.empty') : null}
      />
      {isIn ? <InTerms info={info} amount={amount} /> : <OutTerms info={info} amount={amount} />}
    </ActionSheet>
  )
}

type TermsProps = { info: Info; amount: bigint | null }

function InTerms({ info, amount }: TermsProps) {
  const { t } = useTranslation()
  const subscription = amount === null ? null : subscriptionOf(amount, fundOf(info.fund), toBaseUnits(info.pending))
  return (
    <>
      <dl className="rows">
        <Row
          label={t('finance.youGet')}
          value={
            subscription === null ? (
              '—'
            ) : (
              <Amount value={subscription.shares} unit={t('finance.shareUnit')} digits={6} />
            )
          }
        />
        <Row
          label={t('finance.ofRunningDay')}
          value={subscription === null ? '—' : <Amount value={subscription.equalisation} unit="USDT" digits={6} />}
        />
      </dl>
      <p className="muted small">{t('finance.inNote')}</p>
    </>
  )
}

function OutTerms({ info, amount }: TermsProps) {
  const { t } = useTranslation()
  const isShort = toBaseUnits(info.total) > toBaseUnits(info.idle)
  return (
    <>
      <dl className="rows">
        <Row
          label={t('finance.youGive')}
          value={
            amount === null ? (
              '—'
            ) : (
              <Amount value={sharesToRedeem(amount, fundOf(info.fund))} unit={t('finance.shareUnit')} digits={6} />
            )
          }
        />
        <Row label={t('finance.everything')} value={<Amount value={info.total} unit="USDT" digits={6} />} />
        <Row label={t('finance.idle')} value={<Amount value={info.idle} unit="USDT" digits={2} />} />
      </dl>
      <p className="muted small">{t(isShort ? 'finance.outShort' : 'finance.outNote')}</p>
    </>
  )
}
