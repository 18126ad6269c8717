import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { useRead } from '../../api/use-read.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import { oncePerApp, useApp } from '../../session/app-context.tsx'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { useQuote } from '../../command/quote/use-quote.ts'
import { sendCommand, showsEarlier } from '../../command/send-command.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { AmountInput } from '../../ui/amount/amount-input.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { readAmount } from '../../ui/amount/read-amount.ts'
import { useStore } from '../../lib/store.ts'
import { createExchangeFlow, endOf } from './exchange-flow.ts'
import { ExchangeSheet } from './exchange-sheet.tsx'
import { offerOf, QuoteCard } from './quote-card.tsx'
import './exchange.css'

/** How soon to ask again after a refusal, such as a paused price, in milliseconds. */
const RETRY_MS = 10_000

const inPlace = { handled: Object.values(codes), transportInPlace: true }

const exchangeFlow = oncePerApp((app) =>
  createExchangeFlow({
    // Every outcome is shown in the sheet.
    quote: (input) => call('POST exchange/quote', input, inPlace),
    send: (input, about) => sendCommand(app, 'POST exchange/index', input, { handled: inPlace.handled, about }),
    showsEarlier: () => showsEarlier(app, 'POST exchange/index'),
    now: () => Date.now(),
  }),
)

/** From one asset to another: how much, what comes out and why, and then exactly that. */
export default function ExchangeScreen({ path }: { path: Path }) {
  const { t } = useTranslation()
  const app = useApp()
  const { flow, review, confirm, tick, leave, close } = exchangeFlow(app)
  const { address } = useStore(app.session)
  const current = useStore(flow)
  const [[from, to], setAssets] = useState<readonly [AssetCode, AssetCode]>(['JU', 'USDT'])
  const [typed, setTyped] = useState('')
  /** Set when the button was tapped while something was missing; only then it is said what is missing. */
  const [asked, setAsked] = useState(false)
  const balances = useRead('GET user/info', {}, { pollMs: () => 10_000 }).data?.balances
  const balance = balances?.find(({ asset }) => asset === from)
  const available = balance === undefined ? undefined : toBaseUnits(balance.available)
  const read = readAmount(typed, available === undefined ? {} : { max: available })
  const amount = 'amount' in read ? read.amount : null
  const wanted = amount === null ? null : { from, to, amount: fromBaseUnits(amount) }
  const live = useQuote('POST exchange/quote', wanted, {
    // In the sheet its own are asked for.
    enabled: current === null,
    uncached: true,
    pollMs: (data, error, answeredAt) =>
      error !== null || data === undefined ? RETRY_MS : Math.max(1_000, endOf(data, answeredAt) - Date.now()),
  })

  useEffect(() => leave(address), [address, leave])

  /** Choosing the asset of the other side exchanges the two sides. */
  const choose = (side: 'from' | 'to', asset: AssetCode) => {
    const other = side === 'from' ? to : from
    const rest = other === asset ? (side === 'from' ? from : to) : other
    setAssets(side === 'from' ? [asset, rest] : [rest, asset])
  }
  const next = () => {
    setAsked(true)
    if (live.quote === null) return
    setAsked(false)
    review(address, offerOf(live.quote))
  }
  const ended = () => {
    close()
    setTyped('')
  }
  const settled = current?.step.kind
  useEffect(() => {
    if (settled !== 'done') return
    void invalidateAccount('GET exchange/list')
  }, [settled])

  return (
    <Screen path={path}>
      <form
        className="exchange-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          next()
        }}
      >
        <Segmented
          label={t('exchange.from')}
          options={assetCodes}
          value={from}
          onChange={(asset) => choose('from', asset)}
        />
        <AmountInput
          label={t('exchange.amount')}
          value={typed}
          onChange={setTyped}
          unit={from}
          available={available}
          problem={asked && typed.trim() === '' ? t('amount.empty') : null}
        />
        <div className="exchange-turn">
          <button
            type="button"
            className="icon-button"
            aria-label={t('exchange.turn')}
            onClick={() => setAssets([to, from])}
          >
            <Icon name="exchange" />
          </button>
        </div>
        <Segmented
          label={t('exchange.to')}
          value={to}
          options={assetCodes.filter((asset) => asset !== from)}
          onChange={(asset) => choose('to', asset)}
        />
        <QuoteCard live={live} to={to} />
        <Button submit block look="primary" busy={live.isWaiting} dimmed={live.quote === null}>
          {t('exchange.next')}
        </Button>
        <p className="muted small">{t('exchange.how')}</p>
      </form>
      <RouteLink to="/exchangeList" className="exchange-records-link">
        <Icon name="exchangeList" />
        <span>{t('route.exchangeList')}</span>
        <Icon name="forward" size={18} />
      </RouteLink>
      <ExchangeSheet flow={current} confirm={() => void confirm()} tick={tick} close={close} done={ended} />
    </Screen>
  )
}
