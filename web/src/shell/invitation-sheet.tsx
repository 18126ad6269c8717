import { useId, useState } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/control/button.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { useStore } from '../lib/store.ts'
import { invitationSheet } from './dialogs.ts'
import { useApp } from '../session/app-context.tsx'

const close = () => invitationSheet.set({ open: false, error: null })

/** Asks for the code of a new address. The link `#/index?code=…` fills it in; a refused code stays and can be mended. */
export function InvitationSheet() {
  const { t } = useTranslation()
  const { router, signIn } = useApp()
  const { open, error } = useStore(invitationSheet)
  const { query } = useStore(router.place)
  const invited = query['code'] ?? ''
  /** Null until the person types: until then the field shows the link's code. */
  const [typed, setTyped] = useState<string | null>(null)
  const code = typed ?? invited
  const fieldId = useId()
  const confirm = () => {
    if (code.trim() === '') return
    close()
    void signIn.withCode(code)
  }
  return (
    <Sheet open={open} title={t('invite.title')} onClose={close}>
      <form
        className="stack"
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
          maxLength={16}
          enterKeyHint="go"
          aria-invalid={error !== null}
          aria-describedby={`${fieldId}-error`}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p id={`${fieldId}-error`} className="field-error" role="alert">
          {error}
        </p>
        <Button submit block look="primary" dimmed={code.trim() === ''}>
          {t('invite.confirm')}
        </Button>
      </form>
    </Sheet>
  )
}
