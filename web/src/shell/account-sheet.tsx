import { useRead } from '../api/use-read.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { Amount } from '../ui/amount/amount.tsx'
import { Button } from '../ui/control/button.tsx'
import { ChainLink } from '../ui/control/chain-link.tsx'
import { Row } from '../ui/list/row.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { useStore } from '../lib/store.ts'
import { forgetWallet, walletStore } from '../wallet/wallet.ts'
import { accountSheet } from './dialogs.ts'
import { useApp } from '../session/app-context.tsx'
import { endSession } from '../session/end-session.ts'
import { useWalletFigures } from '../payment/wallet-figures.ts'

const close = () => accountSheet.set(null)

/** Behind the wallet button: the address, its chain, the allowance of the payment contract, and signing out. */
export default function AccountSheet() {
  const { t } = useTranslation()
  const { session, signIn, signedOutReason } = useApp()
  const open = useStore(accountSheet) !== null
  const { token, address: signedInAs, currentBalance, currentAuth, currentChain } = useStore(session)
  const wallet = useStore(walletStore)
  const home = useRead('GET home/public', {}, { enabled: open })
  const address = signedInAs === '' ? (wallet.address ?? '') : signedInAs
  useWalletFigures('USDT', open)

  const signOut = async () => {
    close()
    await endSession(session)
    signedOutReason.set('byHand')
    session.clear()
    // Else the next person's tap would ask the wallet of this one.
    await forgetWallet().catch(() => undefined)
  }
  const unread = <span className="absent">{t('account.unread')}</span>
  return (
    <Sheet
      open={open}
      title={t('account.title')}
      onClose={close}
      footer={
        token === '' ? (
          <Button
            look="primary"
            block
            onClick={() => {
              close()
              void signIn.connect()
            }}
          >
            {t('account.signIn')}
          </Button>
        ) : (
          <Button block onClick={() => void signOut()}>
            {t('account.signOut')}
          </Button>
        )
      }
    >
      <ChainLink whole kind="address" value={address} what={t('account.address')} network={home.data?.network} />
      <dl className="rows">
        <Row
          label={t('account.wallet')}
          value={wallet.walletName ?? <span className="absent">{t('account.notConnected')}</span>}
        />
        <Row label={t('account.chain')} value={currentChain ?? unread} />
        <Row
          label={t('account.walletUsdt')}
          value={currentBalance === null ? unread : <Amount value={currentBalance} unit="USDT" digits={2} />}
        />
        <Row
          label={t('account.allowance')}
          value={currentAuth === null ? unread : <Amount value={currentAuth} unit="USDT" digits={2} />}
        />
      </dl>
    </Sheet>
  )
}
