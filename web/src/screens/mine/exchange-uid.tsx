import { useId, useState } from 'react'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../../ui/control/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'

/** The number under which the member is known at the exchange: shown, and never paid to. */
export function ExchangeUid({ uid }: { uid: string | null }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="mine-uid" onClick={() => setOpen(true)}>
        <Icon name="badge" size={22} />
        <span>{t('mine.uid')}</span>
        <span className="muted">{uid ?? t('mine.uidNone')}</span>
        <Icon name="forward" size={16} />
      </button>
      <Sheet open={open} title={t('mine.uid')} onClose={() => setOpen(false)}>
        {open && <Form uid={uid} done={() => setOpen(false)} />}
      </Sheet>
    </>
  )
}

function Form({ uid, done }: { uid: string | null; done: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState(uid ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const juUid = typed.trim()
  const save = async () => {
    if (!/^[1-9][0-9]{0,17}$/.test(juUid)) return setProblem(t('mine.uidWrong'))
    setBusy(true)
    try {
      await call('POST user/updateJuUid', { juUid })
      await invalidate('GET user/info')
      done()
    } catch {
      // It was said.
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <label htmlFor={id}>{t('mine.uidText')}</label>
      <input
        id={id}
        className="text-field"
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
        onChange={(event) => {
          setTyped(event.target.value)
          setProblem(null)
        }}
      />
      <p id={`${id}-problem`} className="field-error" role="alert">
        {problem}
      </p>
      <Button submit block look="primary" busy={busy} dimmed={juUid === ''}>
        {t('mine.uidSave')}
      </Button>
    </form>
  )
}
