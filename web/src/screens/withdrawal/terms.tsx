import { languageTag } from '@candela/protocol/language'
import type { AssetCode } from '@candela/protocol/money/assets'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatTime, shorten } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import type { Quote } from './withdrawal-types.ts'

type Props = { asset: AssetCode; quote: Quote | undefined; dimmed?: boolean }

/** Shows what a withdrawal costs, what arrives and where, and what the limits leave. */
export function Terms({ asset, quote, dimmed = false }: Props) {
  const { t, language } = useTranslation()
  const figure = (value: string | null | undefined) => {
    if (quote === undefined) return <Skeleton width={90} />
    return value === null || value === undefined ? '—' : <Amount value={value} unit={asset} digits={6} />
  }
  const at = quote?.expectedAt ?? null
  const time =
    quote === undefined ? (
      <Skeleton width={110} />
    ) : at === null ? (
      '—'
    ) : (
      <time dateTime={at}>{formatTime(at, languageTag[language])}</time>
    )
  const fee = { label: t('withdraw.fee'), value: figure(quote?.fee) }
  const limit = t('withdraw.limitFrom')
  return (
    <dl className="rows" data-dimmed={(dimmed && quote !== undefined) || undefined}>
      <Row {...fee} from={{ title: t('withdraw.fee'), text: t('withdraw.feeFrom') }} />
      <Row
        label={t('withdraw.receive')}
        value={<strong>{figure(quote?.received)}</strong>}
        from={{ title: t('withdraw.receive'), text: t('withdraw.receiveFrom'), inputs: [fee] }}
      />
      <Row
        label={t('withdraw.to')}
        value={quote === undefined ? <Skeleton width={110} /> : <code>{shorten(quote.to)}</code>}
        from={{
          title: t('withdraw.to'),
          value: <code className="breakable">{quote?.to}</code>,
          text: t('withdraw.toNote'),
        }}
      />
      <Row
        label={t('withdraw.expected')}
        value={time}
        from={{ title: t('withdraw.expected'), text: t('withdraw.expectedFrom') }}
      />
      <Row
        label={t('withdraw.leftToday')}
        value={figure(quote?.leftToday)}
        from={{ title: t('withdraw.leftToday'), text: limit }}
      />
      <Row
        label={t('withdraw.leftMonth')}
        value={figure(quote?.leftThisMonth)}
        from={{ title: t('withdraw.leftMonth'), text: limit }}
      />
    </dl>
  )
}
