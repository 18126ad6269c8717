import { codes } from '@candela/protocol/codes'
import { languageTag } from '@candela/protocol/language'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { useCall } from '../../api/use-call.ts'
import { buyPower } from '../../app/buy-power.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount.tsx'
import { Button } from '../../ui/button.tsx'
import { explain } from '../../ui/explain-store.ts'
import { formatCountdown, formatDay, formatPercent, formatPrice } from '../../ui/format.ts'
import { Row } from '../../ui/row.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Illustration } from './illustration.tsx'
import type { Calc, Plan } from './plan.ts'
import { usePriceSource } from './price-source.tsx'

/** Steps and digits come faster than quotes are worth asking for, in milliseconds. */
const SETTLE_MS = 250
/** However wrong the clock of the device is, a quote is not asked for more often than this. */
const RENEW_AT_MOST_MS = 30_000

/** A paused price comes back by itself, and so does the quote, in milliseconds. */
const PAUSED_POLL_MS = 5_000
const isPaused = (error: Error | null): boolean => error instanceof ApiError && error.code === codes.pricePaused

/** What the chosen quantity costs now, what it would have put out yesterday, and the one button. */
export function Quote({ plan, units }: { plan: Plan; units: number }) {
  const { t, language } = useTranslation()
  const asked = useSettled(units)
  const quote = useCall(
    'GET power/calc',
    { planId: plan.id, units: String(asked), asset: 'JU' },
    { keepLast: true, handled: [codes.pricePaused], pollMs: (_known, error) => isPaused(error) && PAUSED_POLL_MS },
  )
  // The figures of another plan or quantity are shown dimmed until the right ones are here.
  const current = quote.data?.planId === plan.id && quote.data.units === units && !quote.isPlaceholderData
  const calc = quote.data?.planId === plan.id ? quote.data : undefined
  const priceFrom = usePriceSource(calc?.price)
  const tag = languageTag[language]
  const paused = quote.error instanceof ApiError ? quote.error.message : null
  return (
    <>
      <dl className="rows" data-dimmed={!current || undefined}>
        <Row
          label={t('buy.cost')}
          value={calc === undefined ? <Skeleton width={90} /> : <Amount value={calc.costUsdt} unit="USDT" digits={2} />}
          from={{
            title: t('buy.cost'),
            text: t('buy.costFrom'),
            inputs: [
              { label: t('buy.unitPrice'), value: <Amount value={plan.unitPrice} unit={`USDT / ${plan.unit}`} /> },
              { label: t('buy.quantity'), value: <Amount value={String(units)} unit={plan.unit} /> },
            ],
          }}
        />
        <Row
          label={t('buy.price')}
          value={
            calc === undefined ? (
              <Skeleton width={90} />
            ) : (
              <span>
                {formatPrice(calc.price.average ?? calc.price.spot ?? '0')} <span className="amount-unit">USDT</span>
              </span>
            )
          }
          {...(priceFrom !== undefined && { from: priceFrom })}
        />
        <Row
          label={t('buy.feeLabel')}
          value={formatPercent(plan.serviceFeeRate)}
          from={{ title: t('buy.feeLabel'), text: t('buy.feeFrom') }}
        />
        <Row
          label={t('buy.from')}
          value={`${formatDay(plan.startsOn, tag)} UTC`}
          from={{ title: t('buy.from'), text: t('buy.fromFrom') }}
        />
      </dl>
      <Illustration calc={calc} unit={plan.unit} dimmed={!current} />
      <PayBar
        calc={current ? calc : undefined}
        problem={paused}
        renew={quote.refetch}
        updatedAt={quote.dataUpdatedAt}
      />
    </>
  )
}

type PayBarProps = {
  calc: Calc | undefined
  problem: string | null
  renew: () => Promise<unknown>
  updatedAt: number
}

function PayBar({ calc, problem, renew, updatedAt }: PayBarProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const now = useNow()
  const leftMs = calc === undefined ? null : Date.parse(calc.quoteExpiresAt) - Math.max(now, updatedAt)
  const over = leftMs !== null && leftMs <= 0
  const due = over && !busy && now - updatedAt > RENEW_AT_MOST_MS
  useEffect(() => {
    if (due) void renew()
  }, [due, renew])

  const buy = async () => {
    if (calc === undefined) return
    setBusy(true)
    try {
      const { planId, units, payable } = calc
      await buyPower({ planId, units: String(units), asset: 'JU', maxPayable: payable })
    } finally {
      setBusy(false)
      // If we are still here, no order was made: perhaps the price has moved.
      void renew()
    }
  }
  const explainPayable = ({ payable, costUsdt, price }: Calc) =>
    explain({
      title: t('buy.youPay'),
      value: <span className="breakable">{payable} JU</span>,
      text: t('buy.payableFrom'),
      inputs: [
        { label: t('buy.cost'), value: <Amount value={costUsdt} unit="USDT" digits={18} /> },
        { label: t('buy.price'), value: <Amount value={price.average ?? '0'} unit="USDT" digits={18} /> },
      ],
    })
  return (
    <div className="action-bar">
      <button type="button" className="pay-figure" onClick={() => calc !== undefined && explainPayable(calc)}>
        <span className="figure-label">{t('buy.youPay')}</span>
        {calc === undefined ? (
          <Skeleton width={120} height={26} />
        ) : (
          <span className="pay-amount">
            <Amount value={calc.payable} unit="JU" digits={4} />
          </span>
        )}
        <span className="figure-note" data-problem={problem !== null || undefined}>
          {problem ??
            (leftMs === null || over ? t('buy.quoteRenewing') : t('buy.quoteLeft', { time: formatCountdown(leftMs) }))}
        </span>
      </button>
      <Button look="primary" busy={busy} disabled={calc === undefined || over} onClick={() => void buy()}>
        {problem === null ? t('buy.pay') : t('buy.paused')}
      </Button>
    </div>
  )
}

/** The value once it has stood still for a moment. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
