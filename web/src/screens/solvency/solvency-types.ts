import type { Data } from '@candela/protocol/endpoints'

type Solvency = Data<'GET solvency/now'>
export type Compared = NonNullable<Solvency['now']>
export type Hours = Solvency['history']
