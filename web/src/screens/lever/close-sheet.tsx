import type { LoanItem } from '@candela/protocol/endpoints/lending'
import { fromBaseUnits, mulDiv, toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { ActionSheet } from '../../command/action-sheet.tsx'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../lib/format.ts'
import { useApp } from '../../session/app-context.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { Stepper } from '../../ui/control/stepper.tsx'
import { Row } from '../../ui/list/row.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import '../../ui/amount/slider.css'
import { minimumOf } from './minimum-of.ts'

/** Sells a part of a position or all of it at the desk, repays that part of the debt and returns the rest. */
export function CloseSheet({ loan, close }: { loan: LoanItem | null; close: () => void }) {
  const { t } = useTranslation()
  const app = useApp()
  const [last, setLast] = useState(loan)
  const [percent, setPercent] = useState(100)
  // The figures stay while the sheet glides out.
  if (loan !== null && loan !== last) setLast(loan)
  const shown = loan ?? last
  const part = shown === null ? null : partOf(shown, percent)
  // What the desk pays for exactly this, its fee taken off: the same quote as on the exchange.
  const quote = useRead(
    'POST exchange/quote',
    { from: shown?.collateralAsset ?? 'JU', to: 'USDT', amount: fromBaseUnits(part?.sold ?? 0n) },
    { enabled: loan !== null && part !== null && part.sold > 0n, pollMs: () => 15_000, uncached: true },
  )
  // What came before a failure is not what the desk pays now.
  const proceeds = quote.error === null ? quote.data?.amountOut : undefined
  const leave = () => {
    setPercent(100)
    close()
  }
  const run = async () => {
    if (shown === null || proceeds === undefined) return
    const command = { loanNo: shown.loanNo, percent: String(percent), minProceeds: minimumOf(proceeds) }
    // What went wrong was said.
    const done = await sendCommand(app, 'POST lever/close', command).catch(() => null)
    if (done !== null) {
      showToast('done', t('lever.closed', { amount: formatAmount(done.returned, 6) }))
      leave()
    }
    await invalidateAccount('GET lending/orders', 'GET lending/detail', 'GET lever/options', 'GET home/overview')
  }
  return (
    <ActionSheet
      open={loan !== null}
      title={t('lever.close')}
      action={t('lever.confirmClose', { percent })}
      dimmed={proceeds === undefined}
      run={run}
      close={leave}
    >
      <Stepper
        label={t('lever.percent')}
        hint={t('lever.percentHint')}
        unit="%"
        value={percent}
        min={1}
        max={100}
        onChange={setPercent}
      />
      <input
        className="slider"
        type="range"
        min={1}
        max={100}
        value={percent}
        aria-label={t('lever.percent')}
        aria-valuetext={`${percent}%`}
        onChange={(event) => setPercent(Number(event.target.value))}
      />
      {shown !== null && part !== null && (
        <dl className="rows">
          <Row label={t('lever.sold')} value={<Amount value={part.sold} unit={shown.collateralAsset} digits={6} />} />
          <Row
            label={t('lever.proceeds')}
            value={proceeds === undefined ? '—' : <Amount value={proceeds} unit="USDT" digits={6} />}
            note={
              proceeds === undefined
                ? undefined
                : t('lever.atLeast', { amount: formatAmount(minimumOf(proceeds), 6), asset: 'USDT' })
            }
          />
          <Row label={t('lever.repaid')} value={<Amount value={part.debt} unit="USDT" digits={6} />} />
          <Row
            label={t('lever.returned')}
            value={
              proceeds === undefined ? (
                '—'
              ) : (
                <Amount value={notNegative(toBaseUnits(proceeds) - part.debt)} unit="USDT" digits={6} />
              )
            }
          />
        </dl>
      )}
      <p className="muted small">{t('lever.closeNote')}</p>
    </ActionSheet>
  )
}

const notNegative = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

/** The part of the collateral that is sold, and of the debt that is repaid with it. */
const partOf = ({ collateral, payoff }: LoanItem, percent: number) => ({
  sold: mulDiv(toBaseUnits(collateral), BigInt(percent), 100n),
  debt: mulDiv(toBaseUnits(payoff), BigInt(percent), 100n),
})
