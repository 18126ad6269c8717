import type { AssetCode } from '@candela/protocol/money/assets'
import { useState } from 'react'
import { useRead } from '../api/use-read.ts'
import { useTranslation } from '../i18n/use-translation.ts'
import { Amount } from '../ui/amount/amount.tsx'
import { Button } from '../ui/control/button.tsx'
import { ChoiceCards } from '../ui/control/choice-cards.tsx'
import { explain } from '../ui/overlay/explain-store.ts'
import { useStore } from '../lib/store.ts'
import { walletStore } from '../wallet/wallet.ts'
import { useApp } from '../session/app-context.tsx'
import { type Allow, approve } from './payment.ts'
import { type WalletFigures, tokenOf } from './wallet-figures.ts'
import { walletReady } from './wallet-ready.ts'
import './allowance-choice.css'

type Props = {
  asset: AssetCode
  /** The amount that is about to be paid, in base units; null while it is not known. */
  amount: bigint | null
  figures: WalletFigures | undefined
  value: Allow
  onChange: (allow: Allow) => void
}

/** More than any supply: shown as "no limit" instead of 78 digits. */
const UNLIMITED = 2n ** 128n

/** How much the contract is to be allowed to take, what it may take already, and a way to take that back. */
export function AllowanceChoice({ asset, amount, figures, value, onChange }: Props) {
  const { t } = useTranslation()
  const allowance = figures?.allowance ?? null
  if (asset === 'JU') return null
  const enough = allowance !== null && amount !== null && allowance >= amount
  return (
    <div className="allowance">
      {enough ? (
        <p className="muted small">{t('allow.enough')}</p>
      ) : (
        <ChoiceCards
          label={t('allow.title')}
          options={(['exact', 'max'] as const).map((each) => ({
            value: each,
            title: t(`allow.${each}`),
            text: t(`allow.${each}Text`, { asset }),
          }))}
          value={value}
          onChange={onChange}
        />
      )}
      <CurrentAllowance asset={asset} allowance={allowance} />
    </div>
  )
}

/** Shows what the contract may take now, and one tap to take it back. */
function CurrentAllowance({ asset, allowance }: { asset: AssetCode; allowance: bigint | null }) {
  const { t } = useTranslation()
  const app = useApp()
  const { address } = useStore(walletStore)
  const contracts = useRead('GET home/public', {}).data?.contracts
  const [busy, setBusy] = useState(false)
  const token = contracts === undefined ? null : tokenOf(contracts, asset)
  const revoke = async () => {
    if (address === null || token === null || contracts === undefined) return
    setBusy(true)
    try {
      if (!(await walletReady(app))) return
      const spender = contracts.gateway as `0x${string}`
      await approve(app, { owner: address, token, spender, amount: 0n })
    } finally {
      setBusy(false)
    }
  }
  const figure =
    allowance !== null && allowance >= UNLIMITED ? (
      t('allow.unlimited')
    ) : (
      <Amount value={allowance ?? 0n} unit={asset} />
    )
  return (
    <div className="allowance-standing">
      <button
        type="button"
        className="row-button"
        data-allowance={allowance === null ? undefined : String(allowance)}
        onClick={() => explain({ title: t('allow.standing'), value: figure, text: t('allow.standingFrom') })}
      >
        <span className="muted small">{t('allow.standing')}</span>
        <span>{allowance === null ? '—' : figure}</span>
      </button>
      {allowance !== null && allowance > 0n && (
        <Button busy={busy} onClick={() => void revoke()}>
          {t('allow.revoke')}
        </Button>
      )}
    </div>
  )
}
