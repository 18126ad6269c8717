import { useEffect, useState } from 'react'
import { useApp } from '../../session/app-context.tsx'
import { ApiError } from '@candela/client/errors'
import { buyPower } from '../../payment/buy-power.ts'
import type { Allow } from '../../payment/payment.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatCountdown } from '../../lib/format.ts'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { serverAhead, useServerNow } from '../../api/server-time.ts'
import type { Calc } from './plan.ts'

/** However wrong the clock of the device is, a quote is not asked for more often than this. */
const MIN_RENEWAL_MS = 30_000

type Props = {
  /** The quote for exactly what is chosen; undefined until it is here. */
  calc: Calc | undefined
  asset: 'JU' | 'USDT'
  /** The amount that the contract is allowed to take for it. */
  allow: Allow
  /** Why there is no quote, or no new one. */
  problem: Error | null
  /** The price is paused; it resumes by itself. */
  paused: boolean
  renew: () => Promise<unknown>
  /** When the quote arrived, in milliseconds of the device's clock. */
  updatedAt: number
}

/** Shows what is to be paid, how long that holds, and the one button of the screen. */
export function PayBar({ calc, asset, allow, problem, paused, renew, updatedAt: arrivedAt }: Props) {
  const { t } = useTranslation()
  const app = useApp()
  const [busy, setBusy] = useState(false)
  const now = useServerNow()
  const updatedAt = arrivedAt + serverAhead()
  const leftMs = calc === undefined ? null : Date.parse(calc.quoteExpiresAt) - Math.max(now, updatedAt)
  const over = leftMs !== null && leftMs <= 0
  const due = over && !busy && problem === null && now - updatedAt > MIN_RENEWAL_MS
  useEffect(() => {
    if (due) void renew()
  }, [due, renew])

  const buy = async () => {
    if (calc === undefined) return
    setBusy(true)
    try {
      const { planId, units, payable, isReserved } = calc
      await buyPower(app, { planId, units: String(units), asset, maxPayable: payable }, { allow, isReserved })
    } finally {
      setBusy(false)
      // When this screen is still shown, no order was made: perhaps the price has moved.
      void renew()
    }
  }
  const holds = leftMs === null || over ? t('buy.quoteRenewing') : t('buy.quoteLeft', { time: formatCountdown(leftMs) })
  const trouble = problem instanceof ApiError ? problem.message : t('http.connect')
  return (
    <div className="action-bar">
      <Payable calc={calc} failed={problem !== null} note={problem === null ? holds : trouble} />
      {problem === null || paused ? (
        <Button
          look="primary"
          busy={busy}
          disabled={calc === undefined || over || problem !== null}
          onClick={() => void buy()}
        >
          {paused ? t('buy.paused') : t('buy.pay')}
        </Button>
      ) : (
        <Button onClick={() => void renew()}>{t('ui.retry')}</Button>
      )}
    </div>
  )
}

function Payable({ calc, failed, note }: { calc: Calc | undefined; failed: boolean; note: string }) {
  const { t } = useTranslation()
  const waiting = failed ? <span className="pay-amount">—</span> : <Skeleton width={120} height={26} />
  const showDetails = ({ payable, costUsdt, price, asset }: Calc) =>
    explain({
      title: t('buy.youPay'),
      value: <ExactAmount value={payable} unit={asset} />,
      text: t(asset === 'JU' ? 'buy.payableFrom' : 'buy.payableUsdtFrom'),
      inputs: [
        { label: t('buy.cost'), value: <Amount value={costUsdt} unit="USDT" digits={18} /> },
        ...(asset === 'JU'
          ? [{ label: t('buy.price'), value: <Amount value={price.average ?? '0'} unit="USDT" digits={18} /> }]
          : []),
      ],
    })
  return (
    <button
      type="button"
      className="pay-figure"
      disabled={calc === undefined}
      onClick={() => calc && showDetails(calc)}
    >
      <span className="figure-label">{t('buy.youPay')}</span>
      {calc === undefined ? (
        waiting
      ) : (
        <span className="pay-amount">
          <Amount value={calc.payable} unit={calc.asset} digits={4} />
        </span>
      )}
      <span className="figure-note" data-problem={failed || undefined}>
        {note}
      </span>
    </button>
  )
}
