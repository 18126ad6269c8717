import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { Figure } from '../../ui/amount/figure.tsx'
import { formatCount, formatDay, formatPercent } from '../../lib/format.ts'
import { QueryView, type QueryState } from '../../ui/state/query-view.tsx'
import { SolvencyFigure } from './solvency-figure.tsx'
import { languageTag } from '@candela/protocol/language'
import type { Data } from '@candela/protocol/endpoints'

/** Where a note may come, so that nothing below it moves when it does. */
const EMPTY_LINE = '\u00a0'

type PublicData = Data<'GET home/public'>

/** Public figures, each with where it comes from. The first one is emphasized. */
export const PublicFigures = ({ query }: { query: QueryState<PublicData> & { dataUpdatedAt: number } }) => (
  <QueryView query={query} loading={<Figures data={undefined} answeredAt={0} />}>
    {(data) => <Figures data={data} answeredAt={query.dataUpdatedAt} />}
  </QueryView>
)

function Figures({ data, answeredAt }: { data: PublicData | undefined; answeredAt: number }) {
  const { t, language } = useTranslation()
  const unit = data?.unit ?? 'T'
  const yesterday = data?.yesterday
  const day = yesterday ? formatDay(yesterday.day, languageTag[language]) : undefined
  const gateway = data && {
    label: t('figure.gateway'),
    value: (
      <ChainLink kind="address" value={data.contracts.gateway} what={t('figure.gateway')} network={data.network} />
    ),
  }
  const inputs = gateway === undefined ? [] : [gateway]
  const dayInputs = day === undefined ? inputs : [{ label: t('figure.day'), value: day }, ...inputs]
  const total = data && <Amount value={String(data.totalUnits)} unit={unit} />
  return (
    <section className="visit-figures" aria-label={t('visit.figures')} aria-busy={data === undefined}>
      <div className="lit">
        <Figure
          size="hero"
          label={t('figure.totalUnits')}
          value={total}
          note={data === undefined ? EMPTY_LINE : t('figure.accounts', { count: formatCount(data.accounts) })}
          from={{ title: t('figure.totalUnits'), value: total, text: t('figure.totalUnitsFrom'), inputs }}
        />
      </div>
      <div className="visit-grid">
        <Figure
          label={t('figure.revenue')}
          value={yesterday && <Amount value={yesterday.revenue} unit="HASH" digits={2} />}
          absent={t('figure.afterFirstDay')}
          note={day ?? EMPTY_LINE}
          from={{ title: t('figure.revenue'), text: t('figure.revenueFrom'), inputs: dayInputs }}
        />
        <Figure
          label={t('figure.perUnit', { unit })}
          value={yesterday && <Amount value={yesterday.outputPerUnit} unit="HASH" digits={6} />}
          absent={t('figure.afterFirstDay')}
          note={day ?? EMPTY_LINE}
          from={{ title: t('figure.perUnit', { unit }), text: t('figure.perUnitFrom'), inputs: dayInputs }}
        />
        <Figure
          label={t('figure.fundRate')}
          value={data && data.fundRate && formatPercent(data.fundRate)}
          absent={t('figure.afterFund')}
          from={{ title: t('figure.fundRate'), text: t('figure.fundRateFrom'), inputs }}
        />
        <SolvencyFigure data={data} answeredAt={answeredAt} inputs={inputs} />
      </div>
    </section>
  )
}
