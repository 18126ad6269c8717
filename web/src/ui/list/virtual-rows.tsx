import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { memo, useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react'

/** So many rows are all in the page, where the browser's own search finds them; a longer list has those near the window. */
const ALL_UP_TO = 40
/** Rows beyond each edge of the window: the Tab key finds the next one, and a quick scroll shows no gap. */
const OVERSCAN = 6

type Props<T> = {
  items: readonly T[]
  keyOf: (item: T) => string
  /** Height of a row in pixels until it has been measured. */
  itemHeight: number
  /** False while the server has more: then nobody knows how many there are. */
  complete: boolean
  /** Key of a row that has to be in the page wherever it lies. */
  wanted: string | undefined
  row: (item: T) => ReactNode
}

/**
 * The rows of a list that lie near the window, at the places that they have in the whole list. Each says which of how many it
 * is, and the row with the focus stays in the page however far it is scrolled away.
 */
export function VirtualRows<T>({ items, keyOf, itemHeight, complete, wanted, row }: Props<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const [focused, setFocused] = useState<string | null>(null)

  // Elements above the list come and go, and the page gets higher or lower with them.
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect()
      // A screen that is hidden has no box.
      if (box !== undefined && box.width > 0) setTop(Math.round(box.top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  const rangeExtractor = useCallback(
    (range: Range) => {
      if (range.count <= ALL_UP_TO) return Array.from({ length: range.count }, (_, index) => index)
      const indexOf = (key: string | null | undefined) => items.findIndex((item) => keyOf(item) === key)
      const [wantedAt, focusedAt] = [indexOf(wanted), indexOf(focused)]
      // The rows beside the one with the focus are where the Tab key goes.
      const kept = focusedAt < 0 ? [wantedAt] : [wantedAt, focusedAt - 1, focusedAt, focusedAt + 1]
      const shown = new Set([...defaultRangeExtractor(range), ...kept.filter((at) => at >= 0 && at < range.count)])
      return [...shown].toSorted((a, b) => a - b)
    },
    [focused, items, keyOf, wanted],
  )
  // oxlint-disable-next-line react-hooks-js/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => itemHeight,
    getItemKey: (index) => keyOf(items[index]!),
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor,
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only watches which of its rows has the focus
    <ul
      ref={list}
      className="list"
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={({ target }) => setFocused(target.closest<HTMLElement>('[data-key]')?.dataset['key'] ?? null)}
      // The next row gets the focus after this one has lost it, and must not be taken away in between.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setFocused(null)
      }}
    >
      {virtualizer.getVirtualItems().map(({ index, start, key }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          data-key={key}
          aria-posinset={index + 1}
          aria-setsize={complete ? items.length : -1}
          style={{ transform: `translateY(${start - top}px)` }}
        >
          <Row item={items[index]!} row={row} />
        </li>
      ))}
    </ul>
  )
}

type RowProps<T> = { item: T; row: (item: T) => ReactNode }

/** Scrolling moves rows and renders none of them again. */
const Row = memo(function Row<T>({ item, row }: RowProps<T>) {
  return row(item)
}) as <T>(props: RowProps<T>) => ReactNode
