import { codes } from '@candela/protocol/codes/codes'
import { languageTag } from '@candela/protocol/language'
import { toBaseUnits } from '@candela/protocol/money/money'
import { useState } from 'react'
import { ApiError } from '@candela/client/errors'
import { useQuote } from '../../command/quote/use-quote.ts'
import { AllowanceChoice } from '../../payment/allowance-choice.tsx'
import type { Allow } from '../../payment/payment.ts'
import { useWalletFigures } from '../../payment/wallet-figures.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatDay, formatPercent, formatPrice, formatCount, formatTime } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { Illustration } from './illustration.tsx'
import type { Plan } from './plan.ts'
import { PayBar } from './pay-bar.tsx'
import type { Data } from '@candela/protocol/endpoints'
import { useRead } from '../../api/use-read.ts'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import type { Explanation } from '../../ui/overlay/explain-store.ts'

type Price = Data<'GET power/calc'>['price']

/** Everything that a price can be recomputed with: the pair, average against spot, the block, the time. */
function usePriceSource(price: Price | undefined): Explanation | undefined {
  const { t, language } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  if (price === undefined) return undefined
  const { average, spot, pair, blockNumber, observedAt, windowSeconds } = price
  return {
    title: t('buy.price'),
    value: shown(average ?? spot),
    text: t('buy.priceFrom'),
    inputs: [
      { label: t('buy.average', { minutes: Math.round(windowSeconds / 60) }), value: shown(average) },
      { label: t('buy.spot'), value: shown(spot) },
      {
        label: t('buy.pair'),
        value: pair === null ? '—' : <ChainLink kind="address" value={pair} what={t('buy.pair')} network={network} />,
      },
      { label: t('buy.block'), value: blockNumber === null ? '—' : formatCount(blockNumber) },
      { label: t('buy.observed'), value: observedAt === null ? '—' : formatTime(observedAt, languageTag[language]) },
    ],
  }
}

const shown = (figure: string | null) => (figure === null ? '—' : `${formatPrice(figure)} USDT`)

/** A paused price comes back by itself, and so does the quote, in milliseconds. */
const PAUSED_POLL_MS = 5_000
const isPaused = (error: Error | null): boolean => error instanceof ApiError && error.code === codes.pricePaused

/** Shows what the chosen quantity costs now, what it would have put out yesterday, and the one button. */
export function Quote({ plan, units, asset }: { plan: Plan; units: number; asset: 'JU' | 'USDT' }) {
  const { t, language } = useTranslation()
  const live = useQuote(
    'GET power/calc',
    { planId: plan.id, units: String(units), asset },
    { handled: [codes.pricePaused], pollMs: (_known, error) => isPaused(error) && PAUSED_POLL_MS },
  )
  const current = live.quote?.data
  const calc = live.shown?.data.planId === plan.id && live.shown.data.asset === asset ? live.shown.data : undefined
  const priceFrom = usePriceSource(calc?.price)
  const figures = useWalletFigures(asset, asset === 'USDT')
  const [allow, setAllow] = useState<Allow>('exact')
  const tag = languageTag[language]
  const waiting = live.error === null ? <Skeleton width={90} /> : '—'
  return (
    <>
      <dl className="rows" data-dimmed={(calc !== undefined && current === undefined) || undefined}>
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
      {(calc !== undefined || live.error === null) && (
        <Illustration calc={calc} unit={plan.unit} dimmed={current === undefined} />
      )}
      <AllowanceChoice
        asset={asset}
        amount={calc === undefined ? null : toBaseUnits(calc.payable)}
        figures={figures}
        value={allow}
        onChange={setAllow}
      />
      {current?.isReserved === false && <p className="muted">{t('pay.unreserved')}</p>}
      <PayBar
        calc={current}
        asset={asset}
        allow={allow}
        problem={live.error}
        paused={isPaused(live.error)}
        renew={live.refetch}
        updatedAt={live.quote?.answeredAt ?? 0}
      />
    </>
  )
}
