import type { AssetCode } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import { ApiError } from '@candela/client/errors'
import type { LiveQuote, Quoted } from '../../command/quote/use-quote.ts'
import type { PlainKey } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { formatCountdown } from '../../lib/format.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { Row } from '../../ui/list/row.tsx'
import { useNow } from '../../lib/use-now.ts'
import { endOf, type Offer, type Quote } from './exchange-flow.ts'
import { explainReceived } from './explain-terms.tsx'
import { TermsRows } from './terms-rows.tsx'

type Key = 'POST exchange/quote'
type Props = { live: LiveQuote<Key>; to: AssetCode }

export const offerOf = ({ data, answeredAt }: Quoted<Key>): Offer => ({ quote: data, endsAt: endOf(data, answeredAt) })

/** Shows what comes out, how it is computed, and how long that holds; or why there is none and what to do. */
export function QuoteCard({ live: { quote, shown, error, isAsking, refetch }, to }: Props) {
  const { t } = useTranslation()
  if (error !== null) return <NoQuote error={error} retry={() => void refetch()} busy={isAsking} />
  const offer = shown === null ? null : offerOf(shown)
  return (
    <section
      className="exchange-quote"
      aria-busy={isAsking}
      data-dimmed={(offer !== null && quote === null) || undefined}
    >
      <Figure
        size="large"
        label={t('exchange.received')}
        value={
          offer !== null ? (
            <Amount value={offer.quote.amountOut} unit={offer.quote.to} digits={6} />
          ) : isAsking ? undefined : (
            <Amount value="0" unit={to} />
          )
        }
        from={offer === null ? undefined : explainReceived(t, offer.quote)}
      />
      {offer !== null && (
        <>
          <div className="exchange-clock">
            <Countdown endsAt={offer.endsAt} />
            <button type="button" aria-disabled={isAsking} onClick={() => !isAsking && void refetch()}>
              {t('exchange.refresh')}
            </button>
          </div>
          <TermsRows quote={offer.quote}>
            <HourLeft quote={offer.quote} />
          </TermsRows>
        </>
      )}
    </section>
  )
}

/** The most that can be exchanged now: more is refused, so it is shown before anybody tries. */
function HourLeft({ quote: { hourLeft, from } }: { quote: Quote }) {
  const { t } = useTranslation()
  if (hourLeft === undefined) return null
  const value = <Amount value={hourLeft} unit={from} digits={2} />
  const explanation = { title: t('exchange.hourLeft'), value, text: t('exchange.hourLeftFrom') }
  return <Row label={t('exchange.hourLeft')} value={value} from={explanation} />
}

/** How long a quote holds. A second that has begun counts, so that 0:00 means over. */
export function Countdown({ endsAt, bare = false }: { endsAt: number; bare?: boolean }) {
  const { t } = useTranslation()
  const left = endsAt - useNow()
  return (
    <span className="exchange-left" role="timer">
      <Icon name="clock" size={18} />
      {!bare && `${t('exchange.holdsFor')} `}
      <b>{formatCountdown(left)}</b>
    </span>
  )
}

const advice: Partial<Record<number, PlainKey>> = {
  [codes.pricePaused]: 'exchange.pausedAdvice',
  [codes.deskShort]: 'exchange.shortAdvice',
  [codes.aboveLimit]: 'exchange.hourAdvice',
  [codes.belowMinimum]: 'exchange.minimumAdvice',
}
const titles: Partial<Record<number, PlainKey>> = {
  [codes.pricePaused]: 'exchange.pausedTitle',
  [codes.deskShort]: 'exchange.shortTitle',
  [codes.aboveLimit]: 'exchange.hourTitle',
  [codes.belowMinimum]: 'exchange.minimumTitle',
}

function NoQuote({ error, retry, busy }: { error: Error; retry: () => void; busy: boolean }) {
  const { t } = useTranslation()
  const code = error instanceof ApiError ? error.code : 0
  const what = advice[code]
  return (
    <div className="exchange-none" role="alert" data-code={code}>
      <Icon name="alert" size={22} />
      <div>
        <p className="exchange-none-title">{t(titles[code] ?? 'exchange.noQuote')}</p>
        <p>{error instanceof ApiError ? error.message : t('http.connect')}</p>
        {what !== undefined && <p>{t(what)}</p>}
        {code !== codes.belowMinimum && (
          <Button busy={busy} onClick={retry}>
            {t('ui.retry')}
          </Button>
        )}
      </div>
    </div>
  )
}
