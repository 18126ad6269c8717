import { useId } from 'react'
import { encode } from 'uqr'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Button } from '../../ui/control/button.tsx'
import { copyText } from '../../ui/control/copy.tsx'

/** The link that fills the code in at the first sign-in of whoever follows it. */
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

/** Dark on white in every theme, with the empty border that scanners need. */
function QrPicture({ text, label }: { text: string; label: string }) {
  const titleId = useId()
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} aria-labelledby={titleId} shapeRendering="crispEdges">
      <title id={titleId}>{label}</title>
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#17140f" />
    </svg>
  )
}
