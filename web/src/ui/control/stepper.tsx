import { useId, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Icon } from '../picture/icon.tsx'

type Props = {
  label: string
  hint: string
  unit: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

const within = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value))

/** A whole number that can be typed or stepped. What is typed is put into its bounds when the field is left. */
export function Stepper({ label, hint, unit, value, min, max, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  /** The text that is being typed, which may be empty or out of bounds for a moment; null when nothing is. */
  const [draft, setDraft] = useState<string | null>(null)
  const step = (by: number) => {
    setDraft(null)
    onChange(within(value + by, min, max))
  }
  const type = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, 12)
    setDraft(digits)
    const typed = Number(digits)
    if (digits !== '' && typed === within(typed, min, max)) onChange(typed)
  }
  const leave = () => {
    if (draft !== null && draft !== '') onChange(within(Number(draft), min, max))
    setDraft(null)
  }
  return (
    <div className="stepper">
      <div className="stepper-head">
        <label htmlFor={id}>{label}</label>
        <span id={`${id}-hint`}>{hint}</span>
      </div>
      <div className="stepper-field">
        <button type="button" aria-label={t('ui.less')} aria-disabled={value <= min} onClick={() => step(-1)}>
          <Icon name="minus" />
        </button>
        <span className="stepper-value">
          <input
            id={id}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="done"
            value={draft ?? String(value)}
            size={Math.max(1, (draft ?? String(value)).length)}
            aria-describedby={`${id}-hint`}
            onChange={(event) => type(event.target.value)}
            onFocus={(event) => event.target.select()}
            onBlur={leave}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
          <span className="amount-unit">{unit}</span>
        </span>
        <button type="button" aria-label={t('ui.more')} aria-disabled={value >= max} onClick={() => step(1)}>
          <Icon name="plus" />
        </button>
      </div>
    </div>
  )
}
