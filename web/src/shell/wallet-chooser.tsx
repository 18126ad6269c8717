import { useTranslation } from '../i18n/use-translation.ts'
import { Icon } from '../ui/picture/icon.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { useStore } from '../lib/store.ts'
import { walletChoice } from './dialogs.ts'

/** Shown when several wallets have announced themselves. */
export function WalletChooser() {
  const { t } = useTranslation()
  const choice = useStore(walletChoice)
  return (
    <Sheet open={choice !== null} title={t('wallet.choose')} onClose={() => choice?.answer(null)}>
      <div className="options">
        {choice?.options.map(({ id, name, icon }) => (
          <button key={id} type="button" className="option" onClick={() => choice.answer(id)}>
            {icon === '' ? <Icon name="wallet" size={32} /> : <img src={icon} alt="" width="32" height="32" />}
            <span>{name}</span>
            <Icon name="forward" />
          </button>
        ))}
      </div>
    </Sheet>
  )
}
