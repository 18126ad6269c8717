import { useId, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../control/button.tsx'
import { toClipboard } from '../control/clipboard.ts'
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

const canShare = (data: ShareData): boolean =>
  typeof navigator.share === 'function' && typeof navigator.canShare === 'function' && navigator.canShare(data)

type WaysProps = {
  kept: Kept
  /** Makes a link by which another browser takes the file; undefined where there is no service to ask. Its errors are shown by whoever made it. */
  makeLink?: (() => Promise<string>) | undefined
}

/** Other ways to keep a file that was handed to the browser, for those whose browser has not saved it. */
export function OtherWaysToKeep({ kept, makeLink }: WaysProps) {
  const { t } = useTranslation()
  const [said, setSaid] = useState<'copied' | 'copyFailed' | 'shareFailed' | null>(null)
  const [isShown, setShown] = useState(false)
  const [link, setLink] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const copy = async (text: string) => {
    const isCopied = await toClipboard(text)
    setSaid(isCopied ? 'copied' : 'copyFailed')
    if (!isCopied) setShown(true)
  }
  const share = async (data: ShareData) => {
    try {
      await navigator.share(data)
    } catch (error) {
      // A person who closes the list of apps has changed their mind.
      if (!(error instanceof Error && error.name === 'AbortError')) setSaid('shareFailed')
    }
  }
  const ask = async (make: () => Promise<string>) => {
    setBusy(true)
    try {
      setLink(await make())
    } catch {
      // It was shown where it was asked for.
    } finally {
      setBusy(false)
    }
  }
  const files = [fileOf(kept)]
  return (
    <div className="keep-file">
      <p className="muted small">{t('keep.handed')}</p>
      <div>
        {canShare({ files }) && <Button onClick={() => void share({ files })}>{t('keep.share')}</Button>}
        <Button onClick={() => downloadFile(kept)}>{t('keep.download')}</Button>
        <Button onClick={() => void copy(kept.content)}>{t('keep.copy')}</Button>
        <Button onClick={() => setShown(!isShown)} aria-expanded={isShown}>
          {t('keep.show')}
        </Button>
        {makeLink !== undefined && (
          <Button busy={isBusy} onClick={() => void ask(makeLink)}>
            {t('keep.link')}
          </Button>
        )}
      </div>
      {link !== null && (
        <KeptLink link={link}>
          <Button onClick={() => void copy(link)}>{t('keep.copyLink')}</Button>
          {canShare({ url: link }) && <Button onClick={() => void share({ url: link })}>{t('keep.shareLink')}</Button>}
        </KeptLink>
      )}
      {isShown && <textarea className="keep-text" aria-label={kept.name} readOnly rows={8} value={kept.content} />}
      <output>{said !== null && t(`keep.${said}`)}</output>
    </div>
  )
}

function KeptLink({ link, children }: { link: string; children: React.ReactNode }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="keep-link">
      <label htmlFor={id}>{t('keep.linkNote')}</label>
      <input
        id={id}
        className="text-field"
        readOnly
        value={link}
        data-file-link
        onFocus={(event) => event.target.select()}
      />
      <div>{children}</div>
    </div>
  )
}
