import type { Data } from '@candela/protocol/endpoints'
import { languageTag } from '@candela/protocol/language'
import { type ReactNode, useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatCount, formatTime } from '../../lib/format.ts'
import { PullToRefresh } from '../../ui/list/pull-to-refresh.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { QueryView } from '../../ui/state/query-view.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { StateView } from '../../ui/state/state-view.tsx'
import { OwnRank } from './own-rank.tsx'
import './ranking.css'

const boards = ['today', 'team'] as const
type Place = Data<'GET user/todayPerformanceRank'>['items'][number]

const POLL_MS = 10_000

/** Shows who has bought most, today or by team: one's own place with what it is made of, and the first hundred. */
export default function Ranking({ path }: { path: Path }) {
  const { t } = useTranslation()
  const [board, setBoard] = useState<(typeof boards)[number]>('today')
  return (
    <Screen path={path}>
      <Segmented
        className="boards"
        look="tabs"
        label={t('list.which')}
        options={boards}
        textOf={(each) => t(`list.${each}`)}
        value={board}
        onChange={setBoard}
      />
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
  const view = (data?: Data<'GET user/todayPerformanceRank'>) => (
    <Board
      refresh={ranking.refetch}
      items={data?.items}
      countedUntil={data?.countedUntil}
      empty={<StateView icon="list" title={t('list.empty')} text={t('list.emptyText')} />}
    >
      <OwnRank
        rank={data?.rank}
        amount={data?.amount}
        from={t('list.todayFrom')}
        parts={[
          { label: t('list.own'), value: data?.own },
          { label: t('list.direct'), value: data?.direct },
        ]}
      />
    </Board>
  )
  return (
    <QueryView query={ranking} loading={view()}>
      {view}
    </QueryView>
  )
}

function Team() {
  const { t } = useTranslation()
  const ranking = useRead('GET user/minPerformanceRank', {}, { pollMs: () => POLL_MS })
  const view = (data?: Data<'GET user/minPerformanceRank'>) => (
    <Board
      refresh={ranking.refetch}
      items={data?.items}
      countedUntil={data?.countedUntil}
      empty={<StateView icon="list" title={t('list.emptyTeam')} text={t('list.emptyTeamText')} />}
    >
      <OwnRank
        rank={data?.rank}
        amount={data?.amount}
        from={t('list.teamFrom')}
        parts={[
          { label: t('list.teamTotal'), value: data?.team },
          { label: t('list.largest'), value: data?.largestBranch },
        ]}
      />
    </Board>
  )
  return (
    <QueryView query={ranking} loading={view()}>
      {view}
    </QueryView>
  )
}

type BoardProps = {
  refresh: () => Promise<unknown>
  /** Undefined while they are being fetched. */
  items: readonly Place[] | undefined
  /** Up to when all purchases are counted. */
  countedUntil: string | undefined
  empty: ReactNode
  /** One's own place. */
  children: ReactNode
}

function Board({ refresh, items, countedUntil, empty, children }: BoardProps) {
  const { t, language } = useTranslation()
  return (
    <PullToRefresh refresh={refresh}>
      <div className="ranking">
        {children}
        {countedUntil !== undefined && (
          <p className="counted-until muted small">
            {t('list.countedUntil', { time: formatTime(countedUntil, languageTag[language]) })}
          </p>
        )}
        <Places items={items} empty={empty} />
      </div>
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
