import { codes } from '@candela/protocol/codes/codes'
import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { useRead } from '../../api/use-read.ts'
import { AllowanceChoice } from '../../payment/allowance-choice.tsx'
import type { Allow } from '../../payment/payment.ts'
import { useWalletFigures } from '../../payment/wallet-figures.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatDay, formatPercent, formatPrice } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { Illustration } from './illustration.tsx'
import type { Plan } from './plan.ts'
import { PayBar } from './pay-bar.tsx'
import { usePriceSource } from './price-source.tsx'

/** The quantity may change several times a second; a quote is asked for after so many milliseconds without a change. */
const DEBOUNCE_MS = 250
/** A paused price comes back by itself, and so does the quote, in milliseconds. */
const PAUSED_POLL_MS = 5_000
const isPaused = (error: Error | null): boolean => error instanceof ApiError && error.code === codes.pricePaused

/** What the chosen quantity costs now, what it would have put out yesterday, and the one button. */
export function Quote({ plan, units, asset }: { plan: Plan; units: number; asset: 'JU' | 'USDT' }) {
  const { t, language } = useTranslation()
  const asked = useDebounced(units, DEBOUNCE_MS)
  const quote = useRead(
    'GET power/calc',
    { planId: plan.id, units: String(asked), asset },
    { keepLast: true, handled: [codes.pricePaused], pollMs: (_known, error) => isPaused(error) && PAUSED_POLL_MS },
  )
  // The figures of another plan or quantity are shown dimmed until the right ones are here.
  const isOfPlan = quote.data?.planId === plan.id && quote.data.asset === asset
  const current = isOfPlan && quote.data?.units === units && !quote.isPlaceholderData
  const calc = isOfPlan ? quote.data : undefined
  const priceFrom = usePriceSource(calc?.price)
  const figures = useWalletFigures(asset, asset === 'USDT')
  const [allow, setAllow] = useState<Allow>('exact')
  const tag = languageTag[language]
  const waiting = quote.error === null ? <Skeleton width={90} /> : '—'
  return (
    <>
      <dl className="rows" data-dimmed={(calc !== undefined && !current) || undefined}>
        <Row
          label={t('buy.cost')}
          value={calc === undefined ? waiting : <Amount value={calc.costUsdt} unit="USDT" digits={2} />}
          from={{
            title: t('buy.cost'),
            text: t('buy.costFrom'),
            inputs: [
              { label: t('buy.unitPrice'), value: <Amount value={plan.unitPrice} unit={`USDT / ${plan.unit}`} /> },
              { label: t('buy.quantity'), value: <Amount value={String(units)} unit={plan.unit} /> },
            ],
          }}
        />
        {asset === 'JU' && (
          <Row
            label={t('buy.price')}
            value={
              calc === undefined ? (
                waiting
              ) : (
                <span>
                  {formatPrice(calc.price.average ?? calc.price.spot ?? '0')} <span className="amount-unit">USDT</span>
                </span>
              )
            }
            {...(priceFrom !== undefined && { from: priceFrom })}
          />
        )}
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
      {(calc !== undefined || quote.error === null) && <Illustration calc={calc} unit={plan.unit} dimmed={!current} />}
      <AllowanceChoice
        asset={asset}
        amount={calc === undefined ? null : toBaseUnits(calc.payable)}
        figures={figures}
        value={allow}
        onChange={setAllow}
      />
      {current && calc?.isReserved === false && <p className="muted">{t('pay.unreserved')}</p>}
      <PayBar
        calc={current ? calc : undefined}
        asset={asset}
        allow={allow}
        problem={quote.error}
        paused={isPaused(quote.error)}
        renew={quote.refetch}
        updatedAt={quote.dataUpdatedAt}
      />
    </>
  )
}
