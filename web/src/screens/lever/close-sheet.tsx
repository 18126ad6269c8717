import type { LoanItem } from '@candela/protocol/endpoints/lending'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { ActionSheet } from '../../command/action-sheet.tsx'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { useQuote } from '../../command/quote/use-quote.ts'
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
  const live = useQuote(
    'GET lever/closeQuote',
    shown === null ? null : { loanNo: shown.loanNo, percent: String(percent) },
    { handled: [], enabled: loan !== null, pollMs: () => 15_000, uncached: true },
  )
  // A plan from before a failure is not what the desk pays now, and that of another position is not of this one.
  const planned = live.error === null && live.shown?.input.loanNo === shown?.loanNo ? live.shown?.data : undefined
  const minimumNote = (worth: string) =>
    t('lever.atLeast', { amount: formatAmount(minimumOf(worth), 6), asset: 'USDT' })
  const leave = () => {
    setPercent(100)
    close()
  }
  const run = async () => {
    if (live.quote === null) return
    const { input, data } = live.quote
    const command = { ...input, minProceeds: minimumOf(data.worth) }
    // The failure has been told already.
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
      dimmed={live.quote === null}
      waiting={live.isWaiting}
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
      {shown !== null && (
        <>
          <dl className="rows" data-dimmed={(planned !== undefined && live.quote === null) || undefined}>
            <Row label={t('lever.sold')} value={amountOf(planned?.sold, shown.collateralAsset)} />
            <Row label={t('lever.salePrice')} value={amountOf(planned?.salePrice, 'USDT')} />
            <Row
              label={t('lever.proceeds')}
              value={amountOf(planned?.proceeds, 'USDT')}
              note={planned !== undefined && isWhole(planned) ? minimumNote(planned.worth) : undefined}
            />
            <Row label={t('lever.repaid')} value={amountOf(planned?.repaid, 'USDT')} />
            <Row label={t('lever.returned')} value={amountOf(planned?.returned, 'USDT')} />
            {planned !== undefined && !isWhole(planned) && (
              <Row
                label={t(percent === 100 ? 'lever.keptReturned' : 'lever.keptLocked')}
                value={amountOf(planned.kept, shown.collateralAsset)}
              />
            )}
          </dl>
          {planned !== undefined && !isWhole(planned) && <p className="small">{t('lever.keptNote')}</p>}
        </>
      )}
      <p className="muted small">{t('lever.closeNote')}</p>
    </ActionSheet>
  )
}

const amountOf = (value: string | undefined, unit: string) =>
  value === undefined ? '—' : <Amount value={value} unit={unit} digits={6} />

/** All of the part is sold, and not only what repays its debt. */
const isWhole = ({ kept }: { kept: string }): boolean => toBaseUnits(kept) === 0n
