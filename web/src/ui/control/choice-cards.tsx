import { useId } from 'react'
import './choice-cards.css'

type Props<T extends string> = {
  label: string
  options: readonly { value: T; title: string; text: string }[]
  value: T
  onChange: (value: T) => void
}

/** One of a few ways, each with a sentence about what follows from it. */
export function ChoiceCards<T extends string>({ label, options, value, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className="choice-cards">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} data-chosen={option.value === value || undefined}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <strong>{option.title}</strong>
          <span className="muted small">{option.text}</span>
        </label>
      ))}
    </fieldset>
  )
}
