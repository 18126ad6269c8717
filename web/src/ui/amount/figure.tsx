import type { ReactNode } from 'react'
import { explain, type Explanation } from '../overlay/explain-store.ts'
import { Skeleton } from '../state/skeleton.tsx'

type Props = {
  label: string
  /** Undefined while it is being fetched; null where there is no such figure yet: then `absent` is shown. */
  value: ReactNode | undefined | null
  absent?: string
  note?: ReactNode
  size?: 'hero' | 'large' | 'normal'
  from?: Explanation | undefined
}

/** One figure: its name, the figure itself, and where it comes from at a tap. */
export function Figure({ label, value, absent, note, size = 'normal', from }: Props) {
  const inside = (
    <>
      <span className="figure-label">{label}</span>
      <span className="figure-value">
        {value === undefined ? (
          <Skeleton width={size === 'hero' ? 180 : 96} />
        ) : value === null ? (
          <span className="absent">{absent}</span>
        ) : (
          value
        )}
      </span>
      {note !== undefined && <span className="figure-note">{note}</span>}
    </>
  )
  if (from === undefined)
    return (
      <div className="figure" data-size={size}>
        {inside}
      </div>
    )
  return (
    <button type="button" className="figure" data-size={size} data-explained onClick={() => explain(from)}>
      {inside}
    </button>
  )
}
