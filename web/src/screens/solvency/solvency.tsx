import { languageTag } from '@candela/protocol/language'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { useRead } from '../../api/use-read.ts'
import { useSecondsSince } from '../../lib/use-now.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAge, formatAmount, formatCount, formatPercent, formatTime } from '../../lib/format.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { solvencyState, type SolvencyState } from '../../proof/solvency-state.ts'
import { Figure } from '../../ui/amount/figure.tsx'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { Row } from '../../ui/list/row.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { AssetCard } from './asset-card.tsx'
import { History } from './history.tsx'
import type { Compared, Hours } from './solvency-types.ts'
import { VerifyCard } from './verify-card.tsx'
import './solvency.css'

/** Shows what the contract holds and what is owed, as the last reconciliation found it, and how it was in the last days. */
export default function Solvency({ path }: { path: Path }) {
  const { t } = useTranslation()
  const solvency = useRead('GET solvency/now', {}, { pollMs: () => 30_000 })
  const sinceAnswer = useSecondsSince(solvency.dataUpdatedAt)
  return (
    <Screen path={path}>
      <div className="solvency">
        <QueryView
          query={solvency}
          loading={<Skeleton width="100%" height={320} />}
          empty={{
            when: ({ now }) => now === null,
            view: <StateView icon="clock" title={t('solvency.none')} text={t('solvency.noneText')} />,
          }}
        >
          {({ now, history }) =>
            now !== null && <Comparison now={{ ...now, ageSeconds: now.ageSeconds + sinceAnswer }} history={history} />
          }
        </QueryView>
        <VerifyCard />
      </div>
    </Screen>
  )
}

function Comparison({ now, history }: { now: Compared; history: Hours }) {
  return (
    <>
      <Summary now={now} />
      {now.assets.map((line) => (
        <AssetCard key={line.asset} line={line} isOld={now.ageSeconds > now.maxAgeSeconds} />
      ))}
      <History history={history} />
      <Source now={now} />
    </>
  )
}

const lowestOf = ({ assets }: Compared) =>
  assets
    .flatMap(({ asset, ratio }) => (ratio === null ? [] : [{ asset, ratio }]))
    .toSorted((one, other) => (toBaseUnits(one.ratio) < toBaseUnits(other.ratio) ? -1 : 1))[0] ?? null

/** One sentence that says how it stands, and the lowest ratio. */
function Summary({ now }: { now: Compared }) {
  const { t, language } = useTranslation()
  const lowest = lowestOf(now)
  const state = solvencyState({ ...now, lowest })
  const age = formatAge(now.ageSeconds, languageTag[language])
  return (
    <section className="solvency-summary" data-state={state}>
      <Figure
        size="hero"
        label={lowest === null ? t('solvency.ratio') : t('solvency.lowest', { asset: lowest.asset })}
        value={lowest === null ? '—' : formatPercent(lowest.ratio)}
        note={t('solvency.compared', { age })}
        from={{ title: t('solvency.ratio'), text: t('solvency.ratioFrom') }}
      />
      <p className="solvency-sentence">{sentence(t, state, now, age)}</p>
    </section>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

function sentence(t: Translate, state: SolvencyState, { assets }: Compared, age: string): string {
  if (state === 'old') return t('solvency.old', { age })
  if (state === 'covered') return t('solvency.covered')
  const missing = assets.flatMap(({ asset, held, owed }) => {
    const lack = toBaseUnits(owed) - toBaseUnits(held)
    return lack > 0n ? [`${formatAmount(fromBaseUnits(lack), 6)} ${asset}`] : []
  })
  return t('solvency.short', { missing: missing.join(t('solvency.and')) })
}

/** Shows what it was computed at, for whoever wants to ask the chain. */
function Source({ now }: { now: Compared }) {
  const { t, language } = useTranslation()
  const home = useRead('GET home/public', {}).data
  const tag = languageTag[language]
  return (
    <section className="card" aria-labelledby="solvency-source">
      <h2 id="solvency-source">{t('solvency.source')}</h2>
      <dl className="rows">
        <Row label={t('solvency.block')} value={formatCount(now.block.number)} note={formatTime(now.block.at, tag)} />
        <Row
          label={t('solvency.books')}
          value={t(now.agrees ? 'solvency.agrees' : 'solvency.differs')}
          from={{ title: t('solvency.books'), text: t('solvency.booksFrom') }}
        />
        {home !== undefined && (
          <Row
            label={t('solvency.contract')}
            value={
              <ChainLink
                kind="address"
                value={home.contracts.gateway}
                what={t('solvency.contract')}
                network={home.network}
              />
            }
          />
        )}
      </dl>
    </section>
  )
}
