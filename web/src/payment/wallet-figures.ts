import type { AssetCode } from '@candela/protocol/money/assets'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient, useRead } from '../api/use-read.ts'
import { useStore } from '../lib/store.ts'
import { readAllowance, readBalance, walletStore } from '../wallet/wallet.ts'
import { useApp } from '../session/app-context.tsx'

type Hex = `0x${string}`

/** Base units. */
export type WalletFigures = {
  balance: bigint
  /** The amount that the payment contract may still take; null for JU, which nobody can take. */
  allowance: bigint | null
}

export type TokenContracts = { gateway: string; usdt: string; hash: string }

/** The token behind an asset; null for the chain's own currency. */
export const tokenOf = (contracts: TokenContracts, asset: AssetCode): Hex | null =>
  asset === 'JU' ? null : ((asset === 'USDT' ? contracts.usdt : contracts.hash) as Hex)

/** Reads what the connected wallet holds of an asset and lets us take; undefined until it was read, or where it cannot be. */
export function useWalletFigures(asset: AssetCode, enabled = true): WalletFigures | undefined {
  const { session } = useApp()
  const { address } = useStore(walletStore)
  const contracts = useRead('GET home/public', {}, { enabled }).data?.contracts
  const { data } = useQuery<WalletFigures>({
    queryKey: [KEY, asset, address],
    enabled: enabled && address !== null && contracts !== undefined,
    // On screen it follows what happens in the wallet itself.
    refetchInterval: 15_000,
    queryFn: () => readFigures(contracts as TokenContracts, asset, address as Hex),
  })
  // The session state shows the unit of account.
  useEffect(() => {
    if (asset === 'USDT' && data !== undefined)
      session.update({ currentBalance: data.balance, currentAuth: data.allowance })
  }, [asset, data, session])
  return data
}

const KEY = 'wallet figures'

async function readFigures(contracts: TokenContracts, asset: AssetCode, owner: Hex): Promise<WalletFigures> {
  const token = tokenOf(contracts, asset)
  const [balance, allowance] = await Promise.all([
    readBalance(token, owner),
    token === null ? null : readAllowance(token, owner, contracts.gateway as Hex),
  ])
  return { balance, allowance }
}

/** To be called after the wallet has sent something. */
export const refreshWalletFigures = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [KEY] })
