import { useTranslation } from '../../i18n/use-translation.ts'
import { isPhone } from '../../lib/is-phone.ts'
import { shorten } from '../../lib/format.ts'
import { useStore } from '../../lib/store.ts'
import { useApp } from '../../session/app-context.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { OutsidePicture } from '../../ui/picture/outside-picture.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import { REMOTE_ID } from '../../wallet/remote/types.ts'
import { openInWallet, walletChoice } from '../dialogs.ts'
import './wallet-chooser.css'

/**
 * Shown when there is a choice: several wallets here, or those on other devices. Says for which account one is needed when somebody
 * is signed in.
 */
export default function WalletChooser() {
  const { t } = useTranslation()
  const { address } = useStore(useApp().session)
  const choice = useStore(walletChoice)
  const options = choice?.options ?? []
  const isWalletHere = options.some(({ id }) => id !== REMOTE_ID)
  return (
    <Sheet open={choice !== null} title={t('wallet.choose')} onClose={() => choice?.answer(null)}>
      {choice?.purpose === 'act' && address !== '' && (
        <p className="muted">{t('wallet.chooseAgain', { address: shorten(address) })}</p>
      )}
      {choice?.purpose === 'sign-in' && !isWalletHere && <p className="muted">{t('wallet.noneHere')}</p>}
      <div className="options">
        {options.map(({ id, name, icon }) => (
          <button key={id} type="button" className="option" onClick={() => choice?.answer(id)}>
            {icon === '' ? (
              <Icon name={id === REMOTE_ID ? 'device' : 'wallet'} size={32} />
            ) : (
              <OutsidePicture url={icon} width={32} height={32} instead={<Icon name="wallet" size={32} />} />
            )}
            <span>
              {name}
              {id === REMOTE_ID && (
                <small className="muted">{t(isPhone() ? 'wallet.remotePhone' : 'wallet.remote')}</small>
              )}
            </span>
            <Icon name="forward" />
          </button>
        ))}
        {!isWalletHere && (
          <button
            type="button"
            className="option"
            onClick={() => {
              choice?.answer(null)
              openInWallet.set(true)
            }}
          >
            <Icon name="external" size={32} />
            <span>
              {t(isPhone() ? 'elsewhere.title' : 'elsewhere.onPhone')}
              <small className="muted">{t('wallet.elsewhere')}</small>
            </span>
            <Icon name="forward" />
          </button>
        )}
      </div>
    </Sheet>
  )
}
