import { useId, useState } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/control/button.tsx'

/** For browsers that open no files, as those inside some wallets: the content of the file, pasted. */
export function PasteText({ onText }: { onText: (text: string) => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  if (!isOpen)
    return (
      <Button look="text" onClick={() => setOpen(true)}>
        {t('proof.paste')}
      </Button>
    )
  return (
    <div className="paste-text">
      <label htmlFor={id}>{t('proof.pasteHere')}</label>
      <textarea id={id} rows={5} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
      <Button dimmed={text.trim() === ''} onClick={() => text.trim() !== '' && onText(text)}>
        {t('proof.pasteOpen')}
      </Button>
    </div>
  )
}
