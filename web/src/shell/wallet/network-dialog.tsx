import { useEffect, useRef, useState } from 'react'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useStore } from '../../lib/store.ts'
import { useApp } from '../../session/app-context.tsx'
import { Button } from '../../ui/control/button.tsx'
import { CopyButton } from '../../ui/control/copy.tsx'
import { Row } from '../../ui/list/row.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import { WalletError } from '../../wallet/errors.ts'
import { readChainId, switchNetwork, walletStore } from '../../wallet/wallet.ts'
import { networkDialog } from '../dialogs.ts'

/** Not every wallet tells of a change, so it is asked, in milliseconds. */
const ASK_MS = 2_000

/** The answer of a wallet: its chain where it is a wrong one, or why it has not changed. */
type Answer = { chainId: number } | 'refused' | 'busy' | 'silent' | 'failed'

/** Stands until the wallet is on the right network: nothing can be signed or paid before. */
export default function NetworkDialog() {
  const { t } = useTranslation()
  const network = useStore(networkDialog)
  const [last, setLast] = useState(network)
  if (network !== null && network !== last) setLast(network)
  const shown = network ?? last
  const needed = shown === null ? null : Number(shown.chainId)
  const { answer, busy, recheck, change } = useNetworkChange(network)
  const said =
    answer === null ? '' : typeof answer === 'string' ? t(`network.${answer}`) : t('network.stillWrong', answer)

  return (
    <Sheet
      kind="dialog"
      persistent
      open={network !== null}
      title={t('network.title')}
      footer={
        <>
          <Button look="primary" block busy={busy} onClick={() => void change()}>
            {t(busy ? 'network.asked' : 'network.switch')}
          </Button>
          <Button block onClick={() => void recheck()}>
            {t('network.recheck')}
          </Button>
        </>
      }
    >
      <p>{t('network.text')}</p>
      <dl className="rows">
        <Row label={t('network.name')} value={shown?.chainName} />
        <Row label={t('network.chainId')} value={needed === null ? '' : `${needed} (${shown?.chainId})`} />
        <Row
          label={t('network.rpc')}
          value={
            <span className="chain-link">
              <span className="breakable">{shown?.rpcUrls[0]}</span>
              <CopyButton text={shown?.rpcUrls[0] ?? ''} what={t('network.rpc')} />
            </span>
          }
        />
      </dl>
      <output className="field-error">{said}</output>
    </Sheet>
  )
}

/** Asks the wallet where it is, at a tap, in passing and when the person comes back; closes the dialog once it is there. */
function useNetworkChange(network: NetworkConfig | null) {
  const { signIn } = useApp()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [busy, setBusy] = useState(false)
  /** The request to switch that is waited for. */
  const asked = useRef<AbortController | null>(null)
  const needed = network === null ? null : Number(network.chainId)

  const isThere = async (): Promise<boolean> => {
    const chainId = await readChainId()
    // Another look may have been quicker.
    if (networkDialog.get() === null) return true
    if (chainId !== needed) {
      setAnswer({ chainId })
      return false
    }
    asked.current?.abort()
    setAnswer(null)
    networkDialog.set(null)
    void signIn.networkIsRight()
    return true
  }

  const recheck = async (): Promise<void> => {
    // A person who taps here no longer waits for the window that the other button has opened.
    asked.current?.abort()
    await isThere().catch((error: unknown) => setAnswer(kindOf(error)))
  }

  const change = async (): Promise<void> => {
    if (network === null) return
    const stop = new AbortController()
    asked.current = stop
    setBusy(true)
    setAnswer(null)
    try {
      await switchNetwork(network, { signal: stop.signal })
      await isThere()
    } catch (error) {
      if (!stop.signal.aborted) setAnswer(kindOf(error))
    } finally {
      setBusy(false)
    }
  }

  useEffect(() => {
    if (needed === null) return undefined
    const look = async (): Promise<void> => {
      // The text is what a tap was answered.
      const chainId = await readChainId().catch(() => null)
      if (chainId === needed) await recheck()
    }
    const timer = setInterval(() => void look(), ASK_MS)
    const onFocus = () => void look()
    window.addEventListener('focus', onFocus)
    const stopListening = walletStore.subscribe(() => {
      if (walletStore.get().chainId === needed) void look()
    })
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', onFocus)
      stopListening()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `recheck` is made anew at each render and does the same
  }, [needed])

  return { answer, busy, recheck, change }
}

function kindOf(error: unknown): Answer {
  const kind = error instanceof WalletError ? error.kind : 'failed'
  if (kind === 'dismissed') return 'refused'
  return kind === 'refused' || kind === 'busy' || kind === 'silent' ? kind : 'failed'
}
