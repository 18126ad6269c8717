import { useTranslation } from '../../i18n/use-translation.ts'
import { shorten } from '../../lib/format.ts'
import { useStore } from '../../lib/store.ts'
import { useApp } from '../../session/app-context.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { OutsidePicture } from '../../ui/picture/outside-picture.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import { walletChoice } from '../dialogs.ts'

/** Shown when several wallets have announced themselves; says for which account one is needed when somebody is signed in. */
export default function WalletChooser() {
  const { t } = useTranslation()
  const { address } = useStore(useApp().session)
  const choice = useStore(walletChoice)
  return (
    <Sheet open={choice !== null} title={t('wallet.choose')} onClose={() => choice?.answer(null)}>
      {choice?.purpose === 'act' && address !== '' && (
        <p className="muted">{t('wallet.chooseAgain', { address: shorten(address) })}</p>
      )}
      <div className="options">
        {choice?.options.map(({ id, name, icon }) => (
          <button key={id} type="button" className="option" onClick={() => choice.answer(id)}>
            {icon === '' ? (
              <Icon name="wallet" size={32} />
            ) : (
              <OutsidePicture url={icon} width={32} height={32} instead={<Icon name="wallet" size={32} />} />
            )}
            <span>{name}</span>
            <Icon name="forward" />
          </button>
        ))}
      </div>
    </Sheet>
  )
}
