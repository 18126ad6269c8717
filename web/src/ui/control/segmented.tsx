import { useId } from 'react'
import './segmented.css'

type Props<T extends string> = {
  /** The name of what is chosen. It stands above boxes, and is read out before the others. */
  label: string
  options: readonly T[]
  value: T
  onChange: (value: T) => void
  /** The words of an option; without it the option itself. */
  textOf?: (option: T) => string
  /** `boxes` is a field of a form. The others choose what the rest of the screen shows. */
  look?: 'boxes' | 'chips' | 'pills' | 'tabs'
  className?: string
}

/**
 * One of a few, all in view. In a form they are radio buttons. What changes the view at once is made of buttons that stay
 * pressed: the arrow keys choose each radio button that they pass, and each would be a request.
 */
export function Segmented<T extends string>(props: Props<T>) {
  const { label, options, value, onChange, textOf = String, look = 'boxes', className = '' } = props
  const name = useId()
  return (
    <fieldset className={`segmented ${className}`} data-look={look}>
      <legend className={look === 'boxes' ? undefined : 'visually-hidden'}>{label}</legend>
      <div>
        {options.map((option) =>
          look === 'boxes' ? (
            <label key={option}>
              <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
              <span>{textOf(option)}</span>
            </label>
          ) : (
            <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
              {textOf(option)}
            </button>
          ),
        )}
      </div>
    </fieldset>
  )
}
