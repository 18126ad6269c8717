import { fromBaseUnits } from '@candela/protocol/money/money'
import { type ClipboardEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from './amount.tsx'
import { amountProblemKeys, amountReadings, readAmount } from './read-amount.ts'
import './amount-input.css'

type Props = {
  label: string
  /** Exactly what was typed; `readAmount` tells what it means. */
  value: string
  onChange: (typed: string) => void
  unit: string
  /** In base units; shown beside the label. */
  available?: bigint | undefined
  /** The name of `available`, where it is not what the account can spend. */
  availableLabel?: string | undefined
  /** In base units: more is refused, and a button fills it in. Without it `available` is the maximum. */
  max?: bigint | undefined
  /** 0 where only whole units are taken. */
  decimals?: number
  hint?: ReactNode
  /** The fault of the amount on this screen; a fault of the text itself is shown without it. */
  problem?: string | null | undefined
}

/**
 * A field for an amount. What is typed stays as it is typed: rewriting it would fight an input method and move the
 * caret, and could make another amount of it. For the same reason it has no maximum length, which cuts what is pasted.
 */
export function AmountInput(props: Props) {
  const { label, value, onChange, unit, available, max = available, decimals = 18, hint, problem } = props
  const { availableLabel } = props
  const { t } = useTranslation()
  const id = useId()
  /** While an input method composes, the text is not an amount yet, and nothing is wrong with it yet. */
  const [composing, setComposing] = useState(false)
  const [focused, setFocused] = useState(false)
  const read = readAmount(value, { decimals, ...(max === undefined ? {} : { max }) })
  const own = 'problem' in read && !isJustBegun(read.problem, focused) ? read.problem : null
  const shown = composing ? null : own === null ? (problem ?? null) : t(amountProblemKeys[own])
  const readings = own === 'separators' && !composing ? amountReadings(value) : []
  const zeroMax = max === undefined || max <= 0n
  return (
    <div className="amount-input">
      <div className="amount-input-head">
        <label htmlFor={id}>{label}</label>
        {available !== undefined && (
          <span id={`${id}-available`}>
            {availableLabel ?? t('amount.available')} <Amount value={available} unit={unit} digits={6} />
          </span>
        )}
      </div>
      <div
        className="amount-input-field"
        data-invalid={shown !== null || undefined}
        data-length={lengthOf(value)}
        data-has-button={max !== undefined || undefined}
      >
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="done"
          placeholder="0"
          value={value}
          data-length={lengthOf(value)}
          aria-invalid={shown !== null}
          aria-describedby={`${id}-problem ${id}-hint ${id}-available`}
          onChange={(event) => onChange(event.target.value)}
          onPaste={(event) => pasteLines(event, onChange)}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
          onFocus={() => setFocused(true)}
          onBlur={() => {
            setFocused(false)
            setComposing(false)
          }}
          onKeyDown={(event) => {
            // Enter also ends a composition; only the one after that means "done".
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur()
          }}
        />
        <span className="amount-unit">{unit}</span>
        {max !== undefined && (
          <button type="button" disabled={zeroMax} onClick={() => onChange(fromBaseUnits(cut(max, decimals)))}>
            {t('amount.max')}
          </button>
        )}
      </div>
      <p id={`${id}-problem`} className="field-error" aria-live="polite">
        {shown}
      </p>
      {readings.length > 0 && (
        <div className="amount-input-readings">
          <span>{t('amount.didYouMean')}</span>
          {readings.map((reading) => (
            <button key={reading} type="button" onClick={() => onChange(reading)}>
              {reading}
            </button>
          ))}
        </div>
      )}
      {hint !== undefined && (
        // The fault takes the hint's line, so that nothing below moves.
        <p id={`${id}-hint`} className="muted small" hidden={shown !== null}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** An empty field, or the first "0" of "0.5", is nothing to complain about while somebody types. */
const isJustBegun = (problem: string, focused: boolean) => problem === 'empty' || (problem === 'zero' && focused)

/** Text that does not fit is not seen while somebody types: the end of "100.000000000000000001" alone is another amount. */
const lengthOf = (value: string) => (value.length > 17 ? 'longest' : value.length > 11 ? 'long' : undefined)

const cut = (amount: bigint, decimals: number) => amount - (amount % 10n ** BigInt(18 - decimals))

/** Browsers may take line breaks out of what is pasted, which makes one amount of two: they stay as spaces. */
function pasteLines(event: ClipboardEvent<HTMLInputElement>, onChange: (typed: string) => void) {
  const pasted = event.clipboardData.getData('text').trim()
  if (!/[\r\n]/.test(pasted)) return
  event.preventDefault()
  const { value, selectionStart, selectionEnd } = event.currentTarget
  const before = value.slice(0, selectionStart ?? value.length)
  onChange(`${before}${pasted.replace(/[\r\n]+/g, ' ')}${value.slice(selectionEnd ?? value.length)}`)
}
