import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../control/button.tsx'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { Skeleton } from '../state/skeleton.tsx'
import { QueryView, type QueryState } from '../state/query-view.tsx'
import { VirtualRows } from './virtual-rows.tsx'

/** The part of its query that a list needs; any paged read has it. */
type PagedQuery<T> = QueryState<{ pages: readonly { items: readonly T[] }[] }> & {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

type Props<T> = {
  query: PagedQuery<T>
  keyOf: (item: T) => string
  children: (item: T) => ReactNode
  empty: ReactNode
  /** Height in pixels of one item, for the skeleton and for items that nobody has seen yet. */
  itemHeight: number
  /** Key of an item that has to be in the page, however long the list is. */
  wanted?: string | undefined
}

/** A list in all its states: loading, empty, failed, offline, growing at its end, and asked for again by a pull. */
export function PagedList<T>({ query, keyOf, children, empty, itemHeight, wanted }: Props<T>) {
  const { refetch, hasNextPage } = query
  const pages = query.data?.pages
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages])
  const loading = (
    <div className="list" aria-busy="true">
      {[0, 1, 2].map((each) => (
        <Skeleton key={each} width="100%" height={itemHeight} />
      ))}
    </div>
  )
  return (
    <QueryView query={query} loading={loading}>
      {() => (
        <PullToRefresh refresh={refetch}>
          {items.length === 0 ? (
            empty
          ) : (
            <VirtualRows
              items={items}
              keyOf={keyOf}
              itemHeight={itemHeight}
              complete={!hasNextPage}
              wanted={wanted}
              row={children}
            />
          )}
          <NextPage query={query} />
        </PullToRefresh>
      )}
    </QueryView>
  )
}

/** Asks for the next page when the end comes near; a failed page waits for a tap instead of trying for ever. */
function NextPage<T>({ query }: { query: PagedQuery<T> }) {
  const { t } = useTranslation()
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(query.fetchNextPage)
  useEffect(() => {
    more.current = query.fetchNextPage
  })
  const waiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    const element = end.current
    if (element === null || !waiting) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void more.current(), {
      rootMargin: '300px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [waiting])
  if (!hasNextPage) return null
  return (
    <div ref={end} className="list-more">
      {isFetchNextPageError ? (
        <Button onClick={() => void query.fetchNextPage()}>{t('ui.loadMore')}</Button>
      ) : (
        <output className="spinner" aria-label={t('ui.loadMore')} />
      )}
    </div>
  )
}
