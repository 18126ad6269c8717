import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import { toBaseUnits, mulDiv, mulDivUp } from '@candela/protocol/money/money'
import { useEffect, useState } from 'react'
import { readPublicData } from '../../api/public-data.ts'
import { serverNow } from '../../api/server-time.ts'
import { useRead } from '../../api/use-read.ts'
import { walletReady } from '../../payment/wallet-ready.ts'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand, showsEarlier } from '../../command/send-command.ts'
import { newRequestId } from '../../command/pending-commands.ts'
import { oncePerApp, useApp } from '../../session/app-context.tsx'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { Button } from '../../ui/control/button.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { useStore } from '../../lib/store.ts'
import { signTransfer } from '../../wallet/wallet.ts'
import { RecipientField, useRecipient } from './recipient-field.tsx'
import { createTransferFlow } from './transfer-flow.ts'
import { TransferRecords } from './transfer-records.tsx'
import { TransferSheet } from './transfer-sheet.tsx'
import type { Data } from '@candela/protocol/endpoints'
import { formatAmount } from '../../lib/format.ts'
import './transfer.css'

const WHOLE = 10n ** 18n
/** The smallest transfer by value, in base units of USDT. */
const MIN_WORTH = WHOLE

/** A paused price resumes by itself, and somebody may be waiting for it. */
const pollMs = (prices: Data<'GET user/priceInfo'> | undefined): number =>
  prices?.items.some(({ paused }) => paused) === true ? 5_000 : 30_000

/**
 * Why an amount cannot be sent, before it is signed: too little at the current price, or no price. Null when nothing
 * does, or while it is not known; the service decides in any case.
 */
function useMinimum(asset: AssetCode, amount: bigint | null): string | null {
  const { t } = useTranslation()
  const prices = useRead('GET user/priceInfo', {}, { enabled: asset !== 'USDT', pollMs }).data
  if (amount === null) return null
  const found = prices?.items.find((price) => price.asset === asset)
  if (asset !== 'USDT' && found?.paused === true) return t('transfer.pricePaused', { asset })
  const price = asset === 'USDT' ? WHOLE : toBaseUnits(found?.average ?? '0')
  if (price === 0n || mulDiv(amount, price, WHOLE) >= MIN_WORTH) return null
  // Rounded up to what is shown, so that the figure named is enough.
  const minimum = mulDivUp(mulDivUp(MIN_WORTH, WHOLE, price), 1n, 10n ** 12n) * 10n ** 12n
  return t('transfer.tooLittle', { minimum: formatAmount(minimum, 6), asset })
}

type Address = `0x${string}`

const everyCode = Object.values(codes)

const transferFlow = oncePerApp((app) =>
  createTransferFlow({
    gateway: async () => (await readPublicData()).contracts.gateway as Address,
    ready: () => walletReady(app),
    sign: signTransfer,
    // Both outcomes are shown in the sheet.
    send: (input, sent) => sendCommand(app, 'POST transfer/index', input, { handled: everyCode, ...sent }),
    showsEarlier: () => showsEarlier(app, 'POST transfer/index'),
    newRequestId,
    now: serverNow,
  }),
)

/** Sends to another account: whom, what, how much; then the wallet signs exactly that. */
export default function Transfer({ path }: { path: Path }) {
  const { t } = useTranslation()
  const app = useApp()
  const { flow, review, confirm, leave, close } = transferFlow(app)
  const { address } = useStore(app.session)
  const current = useStore(flow)
  const [to, setTo] = useState('')
  const [asset, setAsset] = useState<AssetCode>('USDT')
  const [typed, setTyped] = useState('')
  /** Set when the button was tapped while something was missing; only then it is said what is missing. */
  const [asked, setAsked] = useState(false)
  const found = useRecipient(to)
  const balances = useRead('GET user/info', {}, { pollMs: () => 10_000 }).data?.balances
  const balance = balances?.find((each) => each.asset === asset)
  const available = balance === undefined ? undefined : toBaseUnits(balance.available)
  const read = readAmount(typed, available === undefined ? {} : { max: available })
  const tooLittle = useMinimum(asset, 'amount' in read ? read.amount : null)

  useEffect(() => leave(address), [address, leave])

  const { recipient } = found
  const complete = recipient !== null && !recipient.self && 'amount' in read && tooLittle === null
  const next = () => {
    setAsked(true)
    if (!complete || available === undefined) return
    setAsked(false)
    const from = address.toLowerCase() as Address
    review({ from, to: recipient.address as Address, toUid: recipient.uid, asset, amount: read.amount })
  }
  const ended = () => {
    close()
    setTo('')
    setTyped('')
  }
  const settled = current?.step.kind
  useEffect(() => {
    if (settled !== 'done' && settled !== 'failed') return
    void invalidateAccount('GET transfer/list')
  }, [settled])

  return (
    <Screen path={path}>
      <form
        className="transfer-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          next()
        }}
      >
        <RecipientField
          value={to}
          onChange={setTo}
          found={found}
          problem={asked && to.trim() === '' ? t('transfer.recipientMissing') : null}
        />
        <Segmented label={t('transfer.asset')} options={assetCodes} value={asset} onChange={setAsset} />
        <AmountInput
          label={t('transfer.amount')}
          value={typed}
          onChange={setTyped}
          unit={asset}
          available={available}
          hint={t('transfer.amountHint')}
          problem={tooLittle ?? (asked && typed.trim() === '' ? t('amount.empty') : null)}
        />
        <Button submit block look="primary" dimmed={!complete}>
          {t('transfer.next')}
        </Button>
      </form>
      <TransferRecords />
      <TransferSheet flow={current} confirm={() => void confirm()} close={close} done={ended} />
    </Screen>
  )
}
