import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../control/button.tsx'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { Skeleton } from '../state/skeleton.tsx'
import { QueryView, type QueryState } from '../state/query-view.tsx'

/** What a list needs of its query; any paged read has it. */
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
  /** Height in pixels of one item, for the skeleton. */
  itemHeight: number
}

/** A list in all its states: loading, empty, failed, offline, growing at its end, and asked for again by a pull. */
export function PagedList<T>({ query, keyOf, children, empty, itemHeight }: Props<T>) {
  const { refetch } = query
  const loading = (
    <div className="list" aria-busy="true">
      {[0, 1, 2].map((each) => (
        <Skeleton key={each} width="100%" height={itemHeight} />
      ))}
    </div>
  )
  return (
    <QueryView query={query} loading={loading}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items)
        return (
          <PullToRefresh refresh={refetch}>
            {items.length === 0 ? (
              empty
            ) : (
              <ul className="list">
                {items.map((item) => (
                  <li key={keyOf(item)}>{children(item)}</li>
                ))}
              </ul>
            )}
            <NextPage query={query} />
          </PullToRefresh>
        )
      }}
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
