import { useState } from 'react'
import { translate, useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/control/button.tsx'
import { Row } from '../ui/list/row.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { useStore } from '../lib/store.ts'
import { showToast } from '../ui/overlay/toast.tsx'
import { WalletError } from '../wallet/errors.ts'
import { switchNetwork, walletStore } from '../wallet/wallet.ts'
import { networkDialog } from './dialogs.ts'
import { useApp } from '../session/app-context.tsx'

/** Stands until the wallet is on the right network: nothing can be signed or paid before. */
export function NetworkDialog() {
  const { t } = useTranslation()
  const { signIn } = useApp()
  const network = useStore(networkDialog)
  const { chainId } = useStore(walletStore)
  const [busy, setBusy] = useState(false)
  const [stillWrong, setStillWrong] = useState(false)
  const [last, setLast] = useState(network)
  if (network !== null && network !== last) setLast(network)
  const shown = network ?? last
  const needed = shown === null ? null : Number(shown.chainId)

  const recheck = () => {
    const right = walletStore.get().chainId === needed
    setStillWrong(!right)
    if (!right) return
    networkDialog.set(null)
    void signIn.connect()
  }
  const change = async () => {
    if (shown === null) return
    setBusy(true)
    try {
      await switchNetwork(shown)
      recheck()
    } catch (error) {
      const refused = error instanceof WalletError && error.kind === 'refused'
      showToast('error', translate(refused ? 'network.switchRefused' : 'network.switchFailed'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Sheet
      kind="dialog"
      persistent
      open={network !== null}
      title={t('network.title')}
      footer={
        <>
          <Button look="primary" block busy={busy} onClick={() => void change()}>
            {t('network.switch')}
          </Button>
          <Button block onClick={recheck}>
            {t('network.recheck')}
          </Button>
        </>
      }
    >
      <p>{t('network.text')}</p>
      <dl className="rows">
        <Row label={t('network.name')} value={shown?.chainName} />
        <Row label={t('network.chainId')} value={needed === null ? '' : `${needed} (${shown?.chainId})`} />
        <Row label={t('network.rpc')} value={<span className="breakable">{shown?.rpcUrls[0]}</span>} />
      </dl>
      <output className="field-error">
        {stillWrong && chainId !== needed ? t('network.stillWrong', { chainId: chainId ?? '?' }) : ''}
      </output>
    </Sheet>
  )
}
