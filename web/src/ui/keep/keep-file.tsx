import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../control/button.tsx'
import { copyText } from '../control/copy.tsx'
import './keep-file.css'

export type Kept = { name: string; mime: string; content: string }

/** Hands a file to the browser as a download. Whether it is saved nobody learns: some wallets drop it without a word. */
export function downloadFile({ name, mime, content }: Kept): void {
  const url = URL.createObjectURL(new Blob([content], { type: mime }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

const fileOf = ({ name, mime, content }: Kept): File => new File([content], name, { type: mime })

const canShare = (kept: Kept): boolean =>
  typeof navigator.canShare === 'function' && navigator.canShare({ files: [fileOf(kept)] })

/** Other ways to keep a file that was handed to the browser, for those whose browser has not saved it. */
export function OtherWaysToKeep({ kept }: { kept: Kept }) {
  const { t } = useTranslation()
  return (
    <div className="keep-file">
      <p className="muted small">{t('keep.handed')}</p>
      <div>
        {canShare(kept) && (
          // Whoever closes the list of apps has changed their mind.
          <Button onClick={() => void navigator.share({ files: [fileOf(kept)] }).catch(() => undefined)}>
            {t('keep.share')}
          </Button>
        )}
        <Button onClick={() => downloadFile(kept)}>{t('keep.download')}</Button>
        <Button onClick={() => void copyText(kept.content)}>{t('keep.copy')}</Button>
      </div>
    </div>
  )
}
