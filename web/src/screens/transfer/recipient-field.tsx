import { codes } from '@candela/protocol/codes/codes'
import type { Data } from '@candela/protocol/endpoints'
import { useId, useState } from 'react'
import { ApiError } from '@candela/client/errors'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { shorten } from '../../lib/format.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { Skeleton } from '../../ui/state/skeleton.tsx'
import { readRecipient } from './recipient.ts'

export type Recipient = Data<'GET transfer/recipient'>

/** A UID grows digit by digit, and each beginning of it is somebody else's: it is looked up after a pause, in milliseconds. */
const DEBOUNCE_MS = 400

type Props = {
  value: string
  onChange: (typed: string) => void
  /** The result for the text as it is now. */
  found: Found
  problem: string | null
}

export type Found = { recipient: Recipient | null; isLooking: boolean; error: Error | null }

/** Looks up whom a text names, once it does not change any more. */
export function useRecipient(text: string): Found {
  const wanted = readRecipient(text)
  const last = useDebounced(wanted, DEBOUNCE_MS)
  const enabled = wanted !== null && wanted === last
  const { data, error } = useRead('GET transfer/recipient', { to: wanted ?? '' }, { enabled, handled })
  if (!enabled) return { recipient: null, isLooking: wanted !== null, error: null }
  return { recipient: data ?? null, isLooking: data === undefined && error === null, error }
}

const handled = [codes.recipientUnknown, codes.invalidInput]

/** Whom it goes to: an address or a UID, and who that is before anything is signed. */
export function RecipientField({ value, onChange, found, problem }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [left, setLeft] = useState(false)
  const wrong = useProblem(value, found, left) ?? problem
  const paste = async () => {
    // Refused or empty: the person can still paste by hand.
    const text = await navigator.clipboard.readText().catch(() => '')
    if (text.trim() === '') return
    onChange(text.trim())
    setLeft(true)
  }
  return (
    <div className="recipient">
      <label htmlFor={id}>{t('transfer.recipient')}</label>
      <div className="recipient-field" data-invalid={wrong !== null || undefined}>
        <input
          id={id}
          value={value}
          placeholder={t('transfer.recipientHint')}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          aria-invalid={wrong !== null}
          aria-describedby={`${id}-problem ${id}-found`}
          onChange={(event) => onChange(event.target.value)}
          onFocus={() => setLeft(false)}
          onBlur={() => setLeft(true)}
          // A pasted text is whole.
          onPaste={() => setLeft(true)}
        />
        {typeof navigator.clipboard?.readText === 'function' && (
          <button type="button" onClick={() => void paste()}>
            {t('transfer.paste')}
          </button>
        )}
      </div>
      {wrong === null ? (
        <output id={`${id}-found`} className="recipient-found" aria-live="polite">
          {found.isLooking && <Skeleton width={180} />}
          {found.recipient !== null && (
            <>
              <Icon name="check" size={18} />
              <code>{shorten(found.recipient.address)}</code>
              <span>UID {found.recipient.uid}</span>
            </>
          )}
        </output>
      ) : (
        <p id={`${id}-problem`} className="field-error" aria-live="polite">
          {wrong}
        </p>
      )}
    </div>
  )
}

function useProblem(value: string, { recipient, error }: Found, left: boolean): string | null {
  const { t } = useTranslation()
  if (recipient?.self === true) return t('transfer.toSelf')
  if (error !== null) return error instanceof ApiError ? error.message : t('http.connect')
  return left && value.trim() !== '' && readRecipient(value) === null ? t('transfer.notARecipient') : null
}
