import type { Data } from '@candela/protocol/endpoints'
import { type ReactNode, useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatCount } from '../../lib/format.ts'
import { PullToRefresh } from '../../ui/list/pull-to-refresh.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { FailedView, OfflineView, StateView } from '../../ui/state/state-view.tsx'
import { OwnRank } from './own-rank.tsx'
import './ranking.css'

type Board = 'today' | 'team'
type Place = Data<'GET user/todayPerformanceRank'>['items'][number]

const POLL_MS = 10_000

/** Who has bought most, today or by team: one's own place with what it is made of, and the first hundred. */
export default function Ranking({ path }: { path: Path }) {
  const { t } = useTranslation()
  const [board, setBoard] = useState<Board>('today')
  return (
    <Screen path={path}>
      <fieldset className="boards">
        <legend className="visually-hidden">{t('list.which')}</legend>
        {(['today', 'team'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={each === board} onClick={() => setBoard(each)}>
            {t(`list.${each}`)}
          </button>
        ))}
      </fieldset>
      <div className="muted small">
        <p>{t(`list.${board}Lead`)}</p>
        <p>{t('list.displayOnly')}</p>
      </div>
      {board === 'today' ? <Today /> : <Team />}
    </Screen>
  )
}

function Today() {
  const { t } = useTranslation()
  const ranking = useRead('GET user/todayPerformanceRank', {}, { pollMs: () => POLL_MS })
  const { data } = ranking
  return (
    <Read query={ranking}>
      <OwnRank
        rank={data?.rank}
        amount={data?.amount}
        from={t('list.todayFrom')}
        parts={[
          { label: t('list.own'), value: data?.own },
          { label: t('list.direct'), value: data?.direct },
        ]}
      />
      <Places
        items={data?.items}
        empty={<StateView icon="list" title={t('list.empty')} text={t('list.emptyText')} />}
      />
    </Read>
  )
}

function Team() {
  const { t } = useTranslation()
  const ranking = useRead('GET user/minPerformanceRank', {}, { pollMs: () => POLL_MS })
  const { data } = ranking
  return (
    <Read query={ranking}>
      <OwnRank
        rank={data?.rank}
        amount={data?.amount}
        from={t('list.teamFrom')}
        parts={[
          { label: t('list.teamTotal'), value: data?.team },
          { label: t('list.largest'), value: data?.largestBranch },
        ]}
      />
      <Places
        items={data?.items}
        empty={<StateView icon="list" title={t('list.emptyTeam')} text={t('list.emptyTeamText')} />}
      />
    </Read>
  )
}

type Query = { data: unknown; error: unknown; fetchStatus: string; refetch: () => Promise<unknown> }

function Read({ query, children }: { query: Query; children: ReactNode }) {
  const { data, error, fetchStatus, refetch } = query
  if (data === undefined && fetchStatus === 'paused') return <OfflineView />
  if (data === undefined && error !== null) return <FailedView error={error} retry={() => void refetch()} />
  return (
    <PullToRefresh refresh={refetch}>
      <div className="ranking">{children}</div>
    </PullToRefresh>
  )
}

function Places({ items, empty }: { items: readonly Place[] | undefined; empty: ReactNode }) {
  const { t } = useTranslation()
  if (items?.length === 0) return empty
  return (
    <section aria-labelledby="places">
      <h2 id="places">{t('list.top')}</h2>
      <ol className="places">
        {items === undefined
          ? [0, 1, 2, 3, 4].map((each) => (
              <li key={each}>
                <Skeleton width="100%" height={24} />
              </li>
            ))
          : items.map(({ rank, maskedAddress, amount }, nth) => (
              <li key={`${nth} ${maskedAddress}`} data-rank={rank}>
                <span className="place">{formatCount(rank)}</span>
                <code>{maskedAddress}</code>
                <Amount value={amount} unit="USDT" digits={2} />
              </li>
            ))}
      </ol>
    </section>
  )
}
