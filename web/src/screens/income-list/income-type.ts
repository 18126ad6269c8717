import type { Data } from '@candela/protocol/endpoints'

export type Income = Data<'GET user/incomeList'>['items'][number]
