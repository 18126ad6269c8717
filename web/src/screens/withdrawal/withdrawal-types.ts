import type { Data } from '@candela/protocol/endpoints'

export type Quote = Data<'GET withdraw/quote'>
export type Withdrawal = Data<'GET withdraw/list'>['items'][number]
