import { shorten } from '../../lib/format.ts'
import { useStore } from '../../lib/store.ts'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useApp } from '../../session/app-context.tsx'
import { builtContracts } from '../../wallet/paying/contracts.ts'
import { ChainLink } from '../../ui/control/chain-link.tsx'

/** Where a plain transfer goes, and from where it has to come, for those who send it by hand. */
export function PlainAddress() {
  const { t } = useTranslation()
  const { address } = useStore(useApp().session)
  const home = useRead('GET home/public', {}).data
  if (home === undefined) return null
  if (builtContracts !== null && home.contracts.gateway.toLowerCase() !== builtContracts.gateway)
    return <p className="field-error">{t('pay.altered')}</p>
  return (
    <div className="plain-address">
      <span className="muted small">{t('deposit.contract')}</span>
      <ChainLink
        whole
        kind="address"
        value={home.contracts.gateway}
        what={t('deposit.contract')}
        network={home.network}
      />
      <p className="payment-note">{t('deposit.onlyFrom', { address: shorten(address) })}</p>
    </div>
  )
}
