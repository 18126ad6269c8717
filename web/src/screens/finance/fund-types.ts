import type { FundState } from '@candela/protocol/fund/fund'
import type { Data } from '@candela/protocol/endpoints'
import { toBaseUnits } from '@candela/protocol/money/money'

export type Info = Data<'GET finance/info'>
export type Bill = Data<'GET finance/bills'>['items'][number]

export const fundOf = ({ assets, shares }: Bill['before']): FundState => ({
  assets: toBaseUnits(assets),
  shares: toBaseUnits(shares),
})
