import { codes } from '@candela/protocol/codes/codes'
import { useState } from 'react'
import { ApiError } from '@candela/client/errors'
import { takeFile } from '../api/file-link.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { useStore } from '../lib/store.ts'
import { Button } from '../ui/control/button.tsx'
import { downloadFile, type Kept, OtherWaysToKeep } from '../ui/keep/keep-file.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { fileSheet } from './dialogs.ts'

const close = () => fileSheet.set(null)

/** Takes the file of a link, which a member has made in another browser. A tap takes it, because it can be taken once. */
export default function FileSheet() {
  const { t } = useTranslation()
  const asked = useStore(fileSheet)
  return (
    <Sheet open={asked !== null} title={t('file.title')} onClose={close}>
      {asked !== null && <FileOfLink key={asked.token} token={asked.token} />}
    </Sheet>
  )
}

function FileOfLink({ token }: { token: string }) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [isOver, setOver] = useState(false)
  const [taken, setTaken] = useState<Kept | null>(null)
  const take = async () => {
    setBusy(true)
    try {
      const file = await takeFile(token)
      downloadFile(file)
      setTaken(file)
    } catch (error) {
      // Every other failure was shown by the call; a link of which an answer was lost is used up.
      if (error instanceof ApiError && error.code === codes.notFound) setOver(true)
    } finally {
      setBusy(false)
    }
  }
  if (taken !== null)
    return (
      <div className="stack" data-file={taken.name}>
        <p>{taken.name}</p>
        <OtherWaysToKeep kept={taken} />
      </div>
    )
  return (
    <div className="stack">
      <p>{t('file.text')}</p>
      {isOver ? (
        <p className="field-error" role="alert">
          {t('file.over')}
        </p>
      ) : (
        <Button block look="primary" busy={isBusy} onClick={() => void take()}>
          {t('file.take')}
        </Button>
      )}
    </div>
  )
}
