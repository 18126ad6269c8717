import { addressUrl, transactionUrl } from '@candela/protocol/chain/network'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import { useTranslation } from '../i18n/use-translation.ts'
import { CopyButton } from './copy.tsx'
import { shorten } from './format.ts'
import { Icon } from './icon.tsx'

type Props = {
  kind: 'address' | 'transaction'
  value: string
  what: string
  network: NetworkConfig | undefined
  whole?: boolean
}

/** An address or a transaction hash: short to the eye, whole on the clipboard, and open in the explorer where there is one. */
export function ChainLink({ kind, value, what, network, whole = false }: Props) {
  const { t } = useTranslation()
  const url =
    network === undefined ? null : kind === 'address' ? addressUrl(network, value) : transactionUrl(network, value)
  return (
    <span className="chain-link" data-whole={whole || undefined}>
      <code title={value}>{whole ? value : shorten(value)}</code>
      <CopyButton text={value} what={what} />
      {url !== null && (
        <a
          className="icon-button"
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={t('ui.openExplorer', { what })}
        >
          <Icon name="external" size={20} />
        </a>
      )}
    </span>
  )
}
