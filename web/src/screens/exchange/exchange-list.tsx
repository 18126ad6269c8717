import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { useReadPages } from '../../api/use-read-pages.ts'
import { RouteLink } from '../../navigation/route-link.tsx'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { explain } from '../../ui/overlay/explain-store.ts'
import { formatPrice, formatTime } from '../../lib/format.ts'
import { PagedList } from '../../ui/list/paged-list.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { explainFee, explainRate, explainReceived, percentOf } from './explain-terms.tsx'
import './exchange-list.css'

type Exchange = Data<'GET exchange/list'>['items'][number]

/** Every exchange with its rate and its fee; each figure opens what it was computed from. */
export default function ExchangeList({ path }: { path: Path }) {
  const { t } = useTranslation()
  const exchanges = useReadPages('GET exchange/list', {})
  return (
    <Screen path={path}>
      <PagedList
        query={exchanges}
        keyOf={({ exchangeNo }) => exchangeNo}
        itemHeight={152}
        empty={
          <StateView
            icon="exchange"
            title={t('exchange.empty')}
            text={t('exchange.emptyText')}
            action={
              <RouteLink to="/exchange" className="button exchange-go">
                {t('exchange.go')}
              </RouteLink>
            }
          />
        }
      >
        {(exchange) => <Record exchange={exchange} />}
      </PagedList>
    </Screen>
  )
}

function Record({ exchange }: { exchange: Exchange }) {
  const { t, language } = useTranslation()
  const { exchangeNo, from, to, amountIn, amountOut, rate, fee, feePpm, createdAt } = exchange
  return (
    <article className="card exchange-record" data-exchange={exchangeNo}>
      <div className="card-head">
        <span>
          {from} → {to}
        </span>
        <time dateTime={createdAt}>{formatTime(createdAt, languageTag[language])}</time>
      </div>
      <div className="exchange-record-figures">
        <span>
          <Amount value={`-${amountIn}`} unit={from} digits={6} />
        </span>
        <button type="button" onClick={() => explain(explainExchange())}>
          +<Amount value={amountOut} unit={to} digits={6} />
        </button>
      </div>
      <div className="exchange-record-terms">
        <button type="button" onClick={() => explain(explainRate(t, language, exchange))}>
          {`1 ${from} = ${formatPrice(rate)} ${to}`}
        </button>
        <button type="button" onClick={() => explain(explainFee(t, exchange))}>
          {t('exchange.fee')} <Amount value={fee} unit={to} digits={6} /> ({percentOf(feePpm)})
        </button>
      </div>
    </article>
  )

  /** The received amount, and what had been promised and agreed to. */
  function explainExchange() {
    const explained = explainReceived(t, exchange, true)
    return {
      ...explained,
      inputs: [
        ...(explained.inputs ?? []),
        { label: t('exchange.quoted'), value: <ExactAmount value={exchange.quotedOut} unit={to} /> },
        { label: t('exchange.minimum'), value: <ExactAmount value={exchange.minReceived} unit={to} /> },
        {
          label: t('exchange.pricedBy'),
          value: exchange.pricedBy === 'quote' ? t('exchange.byQuote') : t('exchange.byExecution'),
        },
        { label: t('exchange.no'), value: <code className="breakable">{exchangeNo}</code> },
      ],
    }
  }
}
