import type { ReactNode } from 'react'
import './slider-picture.css'

/** Percent of the picture's width and height, from the upper left corner. */
type Dot = { x: number; y: number; marked?: boolean | undefined }

type Props = {
  /** The view box of the drawing. Its parts are the children; lines keep their width however it is stretched. */
  viewBox: string
  look?: string
  children: ReactNode
  dots: readonly Dot[]
  /** How many figures there are, and which of them is picked. */
  count: number
  shown: number
  pick: (nth: number) => void
  label: string
  /** The picked figure in words. */
  said: string
  /** Below it on the left, in the middle and on the right. */
  axis: readonly [string, string | undefined, string]
}

/** A picture of figures over time. A slider lies over it and picks one of them, by touch, mouse and keys alike, and says it. */
export function SliderPicture({ viewBox, look, children, dots, count, shown, pick, label, said, axis }: Props) {
  return (
    <div>
      <div className="slider-picture" data-look={look}>
        <svg viewBox={viewBox} preserveAspectRatio="none" aria-hidden="true">
          {children}
        </svg>
        {dots.map(({ x, y, marked }) => (
          <span
            key={`${x} ${marked === true}`}
            className="slider-dot"
            data-marked={marked || undefined}
            style={{ insetInlineStart: `${x}%`, top: `${y}%` }}
          />
        ))}
        <input
          type="range"
          min={0}
          max={count - 1}
          value={shown}
          aria-label={label}
          aria-valuetext={said}
          onChange={(event) => pick(Number(event.target.value))}
        />
        <span />
      </div>
      <p className="slider-axis" aria-hidden="true">
        {axis.map((text, nth) => text !== undefined && <span key={['left', 'middle', 'right'][nth]}>{text}</span>)}
      </p>
    </div>
  )
}
