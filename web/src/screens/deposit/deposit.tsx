import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { AllowanceChoice } from '../../payment/allowance-choice.tsx'
import { type Allow, payFor, walletReady } from '../../payment/payment.ts'
import { type App, useApp } from '../../session/app-context.tsx'
import { sendCommand } from '../../command/send-command.ts'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useWalletFigures } from '../../payment/wallet-figures.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { Button } from '../../ui/control/button.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { DepositRecords } from './deposit-records.tsx'
import './deposit.css'

/** From the wallet to the balance: how much, what the contract may take for it, and every step after that. */
export default function Deposit({ path }: { path: Path }) {
  const { t } = useTranslation()
  const app = useApp()
  const [asset, setAsset] = useState<AssetCode>('USDT')
  const [typed, setTyped] = useState('')
  const [allow, setAllow] = useState<Allow>('exact')
  const [busy, setBusy] = useState(false)
  /** Set when the button was tapped while something was missing; only then it is said what is missing. */
  const [asked, setAsked] = useState(false)
  const figures = useWalletFigures(asset)
  const max = figures === undefined ? undefined : spendable(asset, figures.balance)
  const read = readAmount(typed, max === undefined ? {} : { max })
  const amount = 'amount' in read ? read.amount : null
  const choose = (next: AssetCode) => {
    setAsset(next)
    setAllow('exact')
  }
  const deposit = async () => {
    setAsked(true)
    if (amount === null) return
    setBusy(true)
    try {
      if (!(await payIn(app, asset, amount, allow))) return
      setTyped('')
      setAsked(false)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Screen path={path}>
      <p className="muted">{t('deposit.lead')}</p>
      <form
        className="deposit-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void deposit()
        }}
      >
        <Segmented label={t('deposit.asset')} options={assetCodes} value={asset} onChange={choose} />
        <AmountInput
          label={t('deposit.amount')}
          value={typed}
          onChange={setTyped}
          unit={asset}
          available={figures?.balance}
          max={max}
          availableLabel={t('deposit.inWallet')}
          hint={asset === 'JU' ? t('deposit.gasNote') : undefined}
          problem={asked && typed.trim() === '' ? t('amount.empty') : null}
        />
        <AllowanceChoice asset={asset} amount={amount} figures={figures} value={allow} onChange={setAllow} />
        <Button submit block look="primary" busy={busy} dimmed={amount === null}>
          {t('deposit.pay')}
        </Button>
      </form>
      <DepositRecords />
    </Screen>
  )
}

/** In base units of JU: what the network's fee of a deposit costs at most in ordinary times. */
const GAS_RESERVE = 10n ** 16n

function spendable(asset: AssetCode, balance: bigint): bigint {
  if (asset !== 'JU') return balance
  return balance > GAS_RESERVE ? balance - GAS_RESERVE : 0n
}

/** @returns whether the wallet has sent it */
async function payIn(app: App, asset: AssetCode, amount: bigint, allow: Allow): Promise<boolean> {
  if (!(await walletReady(app))) return false
  // The message was shown. Where no answer came, the same request is sent the next time.
  const made = await sendCommand(app, 'POST deposit/getOrder', { asset, amount: fromBaseUnits(amount) }).catch(
    () => null,
  )
  if (made === null) return false
  const { deposit, transaction } = made
  const outcome = await payFor(app, deposit.depositNo ?? transaction.tuple[3], { transaction, allow }, refreshDeposits)
  refreshDeposits()
  return outcome === 'confirmed'
}

function refreshDeposits(): void {
  void invalidateAccount('GET deposit/list')
}
