import { useTranslation } from '../../i18n/use-translation.ts'
import { isPhone } from '../../lib/is-phone.ts'
import { useStore } from '../../lib/store.ts'
import { useApp } from '../../session/app-context.tsx'
import { Button } from '../../ui/control/button.tsx'
import { copyText } from '../../ui/control/copy.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { QrPicture } from '../../ui/picture/qr.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import { openInWallet } from '../dialogs.ts'
import { pageLink, walletLinks } from './wallet-links.ts'
import './open-in-wallet.css'

/** For a browser without a wallet: a phone goes on in the browser of a wallet app, a desktop on a phone. */
export default function OpenInWallet() {
  const { t } = useTranslation()
  const { invitationCode } = useApp()
  const code = useStore(invitationCode)
  const open = useStore(openInWallet) !== null
  const { origin, pathname, hash } = window.location
  const link = pageLink(origin + pathname, hash, code)
  const phone = isPhone()
  return (
    <Sheet
      open={open}
      title={t(phone ? 'elsewhere.title' : 'elsewhere.onPhone')}
      onClose={() => openInWallet.set(null)}
      footer={
        <Button block onClick={() => void copyText(link)}>
          {t('elsewhere.copy')}
        </Button>
      }
    >
      <p className="muted">{t(phone ? 'elsewhere.text' : 'elsewhere.onPhoneText')}</p>
      {code !== '' && <p>{t('elsewhere.code', { code })}</p>}
      {phone ? (
        <div className="options">
          {walletLinks(link).map(({ name, href }) => (
            <a key={name} className="option" href={href}>
              <Icon name="wallet" size={32} />
              <span>{name}</span>
              <Icon name="forward" />
            </a>
          ))}
        </div>
      ) : (
        <div className="elsewhere-qr">
          <QrPicture text={link} label={t('elsewhere.qr')} />
        </div>
      )}
    </Sheet>
  )
}
