import type { Path } from '../../navigation/routes.ts'
import { Screen } from '../../navigation/screen.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ExitFlow, type ExitPort } from '../../proof/exit-flow.tsx'
import { ask, connectWallet } from '../../wallet/wallet.ts'

/** Everything goes through the wallet: our service may be gone. */
const port: ExitPort = {
  hasRpc: false,
  asker: () => ask,
  async connect() {
    const { address } = await connectWallet()
    if (address === null) throw new Error('the wallet gave no account')
    return address
  },
  send: async (transaction) => String(await ask('eth_sendTransaction', [transaction])),
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
