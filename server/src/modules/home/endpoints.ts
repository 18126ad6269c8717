import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { NetworkConfig, WalletConnectConfig } from '@candela/protocol/chain/network'
import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { getOverview } from './overview.ts'
import { createPublicFigures, type FigureDeps } from './public-figures.ts'

export type HomeDeps = FigureDeps & {
  db: Database
  network: NetworkConfig
  walletConnect: WalletConnectConfig | null
  contracts: Data<'GET home/public'>['contracts']
  /** `largeAbove` in USDT base units. */
  confirmations: { normal: number; large: number; largeAbove: bigint }
}

export function homeHandlers({
  network,
  walletConnect,
  contracts,
  confirmations,
  db,
  ...figures
}: HomeDeps): Handlers<'GET home/public' | 'GET home/overview'> {
  const publicFigures = createPublicFigures(figures)
  return {
    'GET home/overview': (_input, { memberId, now }) => getOverview(db, { memberId, now }),
    'GET home/public': async (_input, { now }) => ({
      ...(await publicFigures(now)),
      network,
      walletConnect,
      contracts,
      confirmations: {
        normal: confirmations.normal,
        large: confirmations.large,
        largeAboveUsdt: fromBaseUnits(confirmations.largeAbove),
      },
    }),
  }
}
