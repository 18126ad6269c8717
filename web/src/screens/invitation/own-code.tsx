import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../../ui/control/button.tsx'
import { copyText } from '../../ui/control/copy.tsx'
import { QrPicture } from '../../ui/picture/qr.tsx'

/** The link that fills the code in at the first sign-in of a person who follows it. */
export const invitationLink = (origin: string, code: string): string =>
  `${origin}/#/index?code=${encodeURIComponent(code)}`

export function OwnCode({ code }: { code: string }) {
  const { t } = useTranslation()
  const link = invitationLink(window.location.origin + window.location.pathname.replace(/\/+$/, ''), code)
  const canShare = typeof navigator.share === 'function'
  const share = () => {
    // Closing the share sheet rejects as well; there is nothing to say about it.
    navigator.share({ text: t('friends.shareText', { code }), url: link }).catch(() => undefined)
  }
  return (
    <section className="own-code" aria-label={t('friends.code')}>
      <span className="figure-label">{t('friends.code')}</span>
      <p className="own-code-text">{code}</p>
      <QrPicture text={link} label={t('friends.qr')} />
      <p className="own-code-link">{link}</p>
      <div className="own-code-actions">
        <Button look="primary" block onClick={() => (canShare ? share() : void copyText(link))}>
          {canShare ? t('friends.share') : t('friends.copyLink')}
        </Button>
        <div className="own-code-pair">
          {canShare && <Button onClick={() => void copyText(link)}>{t('friends.copyLink')}</Button>}
          <Button onClick={() => void copyText(code)}>{t('friends.copyCode')}</Button>
        </div>
      </div>
    </section>
  )
}
