import { type ReactNode, useId } from 'react'
import { explain } from '../overlay/explain-store.ts'
import type { Explanation } from '../overlay/explain-store.ts'

type Props = { label: string; value: ReactNode; note?: ReactNode; from?: Explanation }

/** A figure on a line of its own inside `<dl className="rows">`. With `from`, a tap tells where it comes from. */
export function Row({ label, value, note, from }: Props) {
  const id = useId()
  const figure = (
    <>
      {value}
      {note !== undefined && <span className="row-note">{note}</span>}
    </>
  )
  return (
    <div className="row">
      <dt id={id}>{label}</dt>
      <dd>
        {from === undefined ? (
          figure
        ) : (
          // Named with its label: several figures may be the same.
          <button
            type="button"
            id={`${id}-value`}
            className="row-button"
            aria-labelledby={`${id} ${id}-value`}
            onClick={() => explain(from)}
          >
            {figure}
          </button>
        )}
      </dd>
    </div>
  )
}
