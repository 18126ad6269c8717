import type { Data } from '@candela/protocol/endpoints'

export type Order = Data<'GET power/orderList'>['items'][number]
