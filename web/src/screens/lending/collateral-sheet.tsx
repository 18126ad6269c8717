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
import type { Loan } from './loan-types.ts'

export type CollateralAct = 'add' | 'release'

type Props = { act: CollateralAct | null; loan: Loan; releasable: string | null; close: () => void }

/** More collateral for a loan, or what it does not need back, with the liquidation price that follows. */
export function CollateralSheet({ act, loan, releasable, close }: Props) {
  const { t } = useTranslation()
  const app = useApp()
  const [last, setLast] = useState<CollateralAct>('add')
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState(false)
  // The words stay while the sheet glides out.
  if (act !== null && act !== last) setLast(act)
  const isAdding = (act ?? last) === 'add'
  const { loanNo, collateralAsset } = loan
  const balances = useRead('GET user/info', {}, { enabled: act !== null }).data?.balances
  const own = balances?.find(({ asset }) => asset === collateralAsset)?.available
  const limit = isAdding ? own : (releasable ?? undefined)
  const max = limit === undefined ? undefined : toBaseUnits(limit)
  const read = readAmount(typed, max === undefined ? {} : { max })
  const amount = 'amount' in read && max !== undefined ? read.amount : null
  const leave = () => {
    setTyped('')
    setAsked(false)
    close()
  }
  const run = async () => {
    setAsked(true)
    if (amount === null) return
    const key = isAdding ? 'POST lending/addCollateral' : 'POST lending/releaseCollateral'
    // The failure has been told already.
    const command = { loanNo, amount: fromBaseUnits(amount) }
    const about = { ...command, asset: collateralAsset }
    const done = await sendCommand(app, key, command, { about }).catch(() => null)
    if (done !== null) {
      showToast('done', t(isAdding ? 'lending.addDone' : 'lending.releaseDone'))
      leave()
    }
    await invalidateAccount('GET lending/detail', 'GET lending/orders', 'GET lending/entries', 'GET home/overview')
  }
  return (
    <ActionSheet
      open={act !== null}
      title={t(isAdding ? 'lending.add' : 'lending.release')}
      action={t(isAdding ? 'lending.confirmAdd' : 'lending.confirmRelease')}
      dimmed={amount === null}
      run={run}
      close={leave}
    >
      <AmountInput
        label={t('lending.quantity')}
        value={typed}
        onChange={setTyped}
        unit={collateralAsset}
        available={max}
        availableLabel={isAdding ? undefined : t('lending.releasable')}
        hint={t(isAdding ? 'lending.addHint' : releasable === null ? 'lending.paused' : 'lending.releaseHint')}
        problem={asked && typed.trim() === '' ? t('amount.empty') : null}
      />
      <AmountSlider
        label={t('lending.quantity')}
        max={max ?? 0n}
        value={amount}
        unit={collateralAsset}
        onChange={setTyped}
      />
      <After loan={loan} change={isAdding ? (amount ?? 0n) : -(amount ?? 0n)} />
    </ActionSheet>
  )
}

/** Where the lines would be reached then. */
function After({ loan, change }: { loan: Loan; change: bigint }) {
  const { safety, principal, interest, charges, collateral, collateralAsset } = loan
  if (safety.price === null) return null
  const debt = [principal, interest, charges].reduce((sum, part) => sum + toBaseUnits(part), 0n)
  const secured = { debt, collateral: toBaseUnits(collateral) + change }
  const priceAt = (line: string) => priceAtLine(secured, toBaseUnits(line, RATE_DECIMALS))
  const clearing = secured.collateral > 0n ? priceAt(loan.clearingLine) : null
  const warning = secured.collateral > 0n ? priceAt(loan.safetyLine) : null
  if (clearing === null) return null
  return (
    <PricePicture
      asset={collateralAsset}
      price={safety.price.used}
      safetyPrice={warning === null ? null : fromBaseUnits(warning)}
      liquidationPrice={fromBaseUnits(clearing)}
    />
  )
}
