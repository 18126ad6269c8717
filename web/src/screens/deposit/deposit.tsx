import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { AllowanceChoice } from '../../payment/allowance-choice.tsx'
import type { Allow } from '../../payment/payment.ts'
import { useApp } from '../../session/app-context.tsx'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useWalletFigures } from '../../payment/wallet-figures.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { ChoiceCards } from '../../ui/control/choice-cards.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { Button } from '../../ui/control/button.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { DepositRecords } from './deposit-records.tsx'
import { payAnnounced, payPlainly } from './pay-in.ts'
import { shorten } from '../../lib/format.ts'
import { useStore } from '../../lib/store.ts'
import { builtContracts } from '../../wallet/paying/contracts.ts'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import './deposit.css'

/** Where a plain transfer goes, and from where it has to come, for those who send it by hand. */
function PlainAddress() {
  const { t } = useTranslation()
  const { address } = useStore(useApp().session)
  const home = useRead('GET home/public', {}).data
  if (home === undefined) return null
  if (builtContracts !== null && home.contracts.gateway.toLowerCase() !== builtContracts.gateway)
    return <p className="field-error">{t('pay.altered')}</p>
  return (
    <div className="plain-address">
      <span className="muted small">{t('deposit.contract')}</span>
      <ChainLink
        whole
        kind="address"
        value={home.contracts.gateway}
        what={t('deposit.contract')}
        network={home.network}
      />
      <p className="payment-note">{t('deposit.onlyFrom', { address: shorten(address) })}</p>
    </div>
  )
}

/** JU can also come as a plain transfer, which has no deposit number. */
const ways = ['numbered', 'plain'] as const
type Way = (typeof ways)[number]

/** From the wallet to the balance: how much, what the contract may take for it, and every step after that. */
export default function Deposit({ path }: { path: Path }) {
  const { t } = useTranslation()
  const app = useApp()
  const [asset, setAsset] = useState<AssetCode>('USDT')
  const [typed, setTyped] = useState('')
  const [allow, setAllow] = useState<Allow>('exact')
  const [wayOfJu, setWayOfJu] = useState<Way>('numbered')
  const [busy, setBusy] = useState(false)
  /** Set when the button was tapped while something was missing; only then it is said what is missing. */
  const [asked, setAsked] = useState(false)
  const way = asset === 'JU' ? wayOfJu : 'numbered'
  const gateway = useRead('GET home/public', {}).data?.contracts.gateway
  const figures = useWalletFigures(asset)
  const max = figures === undefined ? undefined : spendable(asset, way, figures.balance)
  const read = readAmount(typed, max === undefined ? {} : { max })
  const amount = 'amount' in read ? read.amount : null
  const choose = (next: AssetCode) => {
    setAsset(next)
    setAllow('exact')
  }
  const deposit = async () => {
    setAsked(true)
    if (amount === null || (way === 'plain' && gateway === undefined)) return
    setBusy(true)
    try {
      // One that was announced and not paid is paid from the list below.
      const isMade =
        way === 'plain'
          ? await payPlainly(app, { to: gateway as `0x${string}`, amount })
          : await payAnnounced(app, { asset, amount, allow })
      if (!isMade) return
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
        {asset === 'JU' && (
          <ChoiceCards
            label={t('deposit.way')}
            options={ways.map((each) => ({
              value: each,
              title: t(`deposit.way.${each}`),
              text: t(`deposit.way.${each}Text`),
            }))}
            value={way}
            onChange={setWayOfJu}
          />
        )}
        {way === 'plain' && <PlainAddress />}
        <Button submit block look="primary" busy={busy} dimmed={amount === null}>
          {t('deposit.pay')}
        </Button>
      </form>
      <DepositRecords />
    </Screen>
  )
}

/** In base units of JU: what the network's fee of a deposit costs at most in ordinary times. A plain transfer has twice the gas limit. */
const GAS_RESERVE: Record<Way, bigint> = { numbered: 10n ** 16n, plain: 2n * 10n ** 16n }

function spendable(asset: AssetCode, way: Way, balance: bigint): bigint {
  if (asset !== 'JU') return balance
  return balance > GAS_RESERVE[way] ? balance - GAS_RESERVE[way] : 0n
}
