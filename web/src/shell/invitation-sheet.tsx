import { invitationCodePattern } from '@candela/protocol/invitation-code'
import { useId, useState } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/control/button.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { useStore } from '../lib/store.ts'
import { invitationSheet } from './dialogs.ts'
import { useApp } from '../session/app-context.tsx'

const close = () => invitationSheet.set(null)

/** Asks for the code of a new address. A link with a code, of whatever form, fills it in; a refused code stays and can be mended. */
export default function InvitationSheet() {
  const { t } = useTranslation()
  const { invitationCode, session } = useApp()
  const open = useStore(invitationSheet) !== null
  const invited = useStore(invitationCode)
  const { address } = useStore(session)
  return (
    <Sheet open={open} title={t('invite.title')} onClose={close}>
      {/* The typed text is over with another link, and with the person's sign-in. */}
      <InvitationForm key={`${address} ${invited}`} invited={invited} />
    </Sheet>
  )
}

function InvitationForm({ invited }: { invited: string }) {
  const { t } = useTranslation()
  const { signIn } = useApp()
  const error = useStore(invitationSheet)?.error ?? null
  const [code, setCode] = useState(invited)
  const fieldId = useId()
  const confirm = () => {
    const text = code.trim()
    if (text === '') return
    if (!invitationCodePattern.test(text.toUpperCase())) return invitationSheet.set({ error: t('invite.form') })
    close()
    void signIn.withCode(text)
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        confirm()
      }}
    >
      <label htmlFor={fieldId}>{t('invite.text')}</label>
      <input
        id={fieldId}
        className="text-field code-field"
        value={code}
        placeholder={t('invite.placeholder')}
        autoCapitalize="characters"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        aria-invalid={error !== null}
        aria-describedby={`${fieldId}-error`}
        onChange={(event) => setCode(event.target.value)}
      />
      <p id={`${fieldId}-error`} className="field-error" role="alert">
        {error}
      </p>
      <Button submit block look="primary" dimmed={code.trim() === ''}>
        {t('invite.confirm')}
      </Button>
    </form>
  )
}
