import type { LoanItem } from '@candela/protocol/endpoints/lending'
import { priceAtLine } from '@candela/protocol/lending/lines'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { ActionSheet } from '../../command/action-sheet.tsx'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { PricePicture } from '../../lending/safety/price-picture.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useApp } from '../../session/app-context.tsx'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { AmountSlider } from '../../ui/amount/amount-slider.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { showToast } from '../../ui/overlay/toast.tsx'

/** More margin pays a part of the loan, which moves the liquidation price down. */
export function MarginSheet({ loan, close }: { loan: LoanItem | null; close: () => void }) {
  const { t } = useTranslation()
  const app = useApp()
  const [last, setLast] = useState(loan)
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState(false)
  // The figures stay while the sheet glides out.
  if (loan !== null && loan !== last) setLast(loan)
  const shown = loan ?? last
  const balances = useRead('GET user/info', {}, { enabled: loan !== null }).data?.balances
  const own = balances?.find(({ asset }) => asset === 'USDT')?.available
  const available = own === undefined ? undefined : toBaseUnits(own)
  const payoff = shown === null ? 0n : toBaseUnits(shown.payoff)
  const max = available === undefined ? 0n : available < payoff ? available : payoff
  const read = readAmount(typed, { max })
  const amount = 'amount' in read ? read.amount : null
  const leave = () => {
    setTyped('')
    setAsked(false)
    close()
  }
  const run = async () => {
    setAsked(true)
    if (amount === null || shown === null) return
    const command = { loanNo: shown.loanNo, amount: fromBaseUnits(amount) }
    // The failure has been told already.
    const done = await sendCommand(app, 'POST lever/addMargin', command).catch(() => null)
    if (done !== null) {
      showToast('done', t('lever.marginDone'))
      leave()
    }
    await invalidateAccount('GET lending/orders', 'GET lending/detail', 'GET lever/options', 'GET home/overview')
  }
  return (
    <ActionSheet
      open={loan !== null}
      title={t('lever.addMargin')}
      action={t('lever.confirmMargin')}
      dimmed={amount === null}
      run={run}
      close={leave}
    >
      <AmountInput
        label={t('lever.margin')}
        value={typed}
        onChange={setTyped}
        unit="USDT"
        available={available}
        availableLabel={t('lever.available')}
        max={max}
        hint={t('lever.addMarginHint')}
        problem={asked && typed.trim() === '' ? t('amount.empty') : null}
      />
      <AmountSlider label={t('lever.margin')} max={max} value={amount} unit="USDT" decimals={2} onChange={setTyped} />
      {shown !== null && <After loan={shown} paid={amount ?? 0n} />}
    </ActionSheet>
  )
}

/** Where the lines would be reached then. */
function After({ loan, paid }: { loan: LoanItem; paid: bigint }) {
  const { safety, payoff, collateral, collateralAsset, clearingLine, safetyLine } = loan
  const secured = { debt: toBaseUnits(payoff) - paid, collateral: toBaseUnits(collateral) }
  const priceAt = (line: string) => priceAtLine(secured, toBaseUnits(line, RATE_DECIMALS))
  const [clearing, warning] = [priceAt(clearingLine), priceAt(safetyLine)]
  if (safety.price === null || clearing === null || warning === null) return null
  return (
    <PricePicture
      asset={collateralAsset}
      price={safety.price.used}
      safetyPrice={fromBaseUnits(warning)}
      liquidationPrice={fromBaseUnits(clearing)}
    />
  )
}
