import type { AssetCode } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { readOnce, useCall } from '../../api/use-call.ts'
import { walletReady } from '../../payment/buy-power.ts'
import { moneyMoved } from '../../command/money-moved.ts'
import { randomId } from '../../command/request-shelf.ts'
import { createUnanswered } from '../../command/unanswered.ts'
import { session, shelf } from '../../app/parts.ts'
import type { Path } from '../../app/routes.ts'
import { Screen } from '../../app/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { AmountInput } from '../../ui/amount-input.tsx'
import { AssetChoice } from '../../ui/asset-choice.tsx'
import { Button } from '../../ui/button.tsx'
import { readAmount } from '../../ui/read-amount.ts'
import { useStore } from '../../ui/store.ts'
import { signTransfer } from '../../wallet/wallet.ts'
import { RecipientField, useRecipient } from './recipient-field.tsx'
import { createTransferFlow, isSent } from './transfer-flow.ts'
import { TransferRecords } from './transfer-records.tsx'
import { TransferSheet } from './transfer-sheet.tsx'
import { useMinimum } from './use-minimum.ts'
import './transfer.css'

type Address = `0x${string}`

const everyCode = Object.values(codes)

const { flow, review, confirm, askAgain, resume, close } = createTransferFlow({
  unanswered: createUnanswered(shelf, 'transfer', isSent),
  gateway: async () => (await readOnce('GET home/public', {})).contracts.gateway as Address,
  ready: walletReady,
  sign: signTransfer,
  // Both outcomes are shown in the sheet.
  send: (input) => call('POST transfer/index', input, { handled: everyCode, transportInPlace: true }),
  randomId,
  now: () => Date.now(),
})

/** Sends to another account: whom, what, how much; then the wallet signs exactly that. */
export default function Transfer({ path }: { path: Path }) {
  const { t } = useTranslation()
  const { address } = useStore(session)
  const current = useStore(flow)
  const [to, setTo] = useState('')
  const [asset, setAsset] = useState<AssetCode>('USDT')
  const [typed, setTyped] = useState('')
  /** Set by a tap on the button while something was missing; until then nobody is told what is. */
  const [asked, setAsked] = useState(false)
  const found = useRecipient(to)
  const balances = useCall('GET user/info', {}, { pollMs: () => 10_000 }).data?.balances
  const balance = balances?.find((each) => each.asset === asset)
  const available = balance === undefined ? undefined : toBaseUnits(balance.available)
  const read = readAmount(typed, available === undefined ? {} : { max: available })
  const tooLittle = useMinimum(asset, 'amount' in read ? read.amount : null)

  // A transfer that was signed before a reload and never answered comes first.
  useEffect(() => void resume(address), [address])

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
  const settled = current?.stage.kind
  useEffect(() => {
    if (settled !== 'done' && settled !== 'failed') return
    void moneyMoved('GET transfer/list')
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
        <AssetChoice label={t('transfer.asset')} value={asset} onChange={setAsset} />
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
      <TransferSheet
        flow={current}
        confirm={() => void confirm()}
        askAgain={() => void askAgain()}
        close={close}
        done={ended}
      />
    </Screen>
  )
}
