import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ExitFlow, type ExitPort } from '../../proof/exit/exit-flow.tsx'
import { ExitError } from '../../proof/exit/exit-error.ts'
import { ask, checkWallet, connectWallet, sendCall } from '../../wallet/wallet.ts'

type Hex = `0x${string}`

/** Everything goes through the wallet: our service may be gone. */
const port: ExitPort = {
  hasRpc: false,
  asker: () => ask,
  async connect() {
    // The wallet may be on another account by now.
    await checkWallet()
    const { address } = await connectWallet()
    if (address === null) throw new ExitError('noAccount')
    return address
  },
  send: ({ from, to, data }) => sendCall({ from: from as Hex, to: to as Hex, data: data as Hex }),
}

/** The way out, when the service has stopped attesting. */
export default function Exit({ path }: { path: Path }) {
  const { t } = useTranslation()
  return (
    <Screen path={path}>
      <ExitFlow port={port} />
      <p className="muted small">{t('exit.alone')}</p>
    </Screen>
  )
}
