import { useTranslation } from '../../i18n/use-translation.ts'
import { isPhone } from '../../lib/is-phone.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/control/button.tsx'
import { copyText } from '../../ui/control/copy.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { QrPicture } from '../../ui/picture/qr.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import { walletPairing } from '../dialogs.ts'
import { pairingLinks } from './pairing-links.ts'
import './open-in-wallet.css'

/** Hands a connection to a wallet: on a phone by a link that opens its app, else as a QR code for a phone. */
export default function WalletPairing() {
  const { t } = useTranslation()
  const pairing = useStore(walletPairing)
  const uri = pairing?.uri ?? ''
  const phone = isPhone()
  return (
    <Sheet
      open={pairing !== null}
      title={t('pairing.title')}
      onClose={() => pairing?.cancel()}
      footer={
        <Button block onClick={() => void copyText(uri)}>
          {t('pairing.copy')}
        </Button>
      }
    >
      <p className="muted">{t(phone ? 'pairing.open' : 'pairing.scan')}</p>
      {phone ? (
        <div className="options">
          {pairingLinks(uri).map(({ app, link }) => (
            <a key={app.name} className="option" href={link} onClick={() => pairing?.opens(app)}>
              <Icon name="wallet" size={32} />
              <span>{app.name}</span>
              <Icon name="forward" />
            </a>
          ))}
          {/* The system knows which apps take it. */}
          <a className="option" href={uri} onClick={() => pairing?.opens(null)}>
            <Icon name="external" size={32} />
            <span>{t('pairing.other')}</span>
            <Icon name="forward" />
          </a>
        </div>
      ) : (
        uri !== '' && (
          <div className="elsewhere-qr">
            <QrPicture text={uri} label={t('pairing.qr')} />
          </div>
        )
      )}
    </Sheet>
  )
}
