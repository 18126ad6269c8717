import type { Data } from '@candela/protocol/endpoints'

/** Both prices of an exchange with what they were chosen from, as the API gives them. */
export type DeskPrices = Data<'POST exchange/quote'>['prices']

/** A text in each of the languages. */
export type LocalizedText = { zh: string; tw: string; en: string }

/** The states of a loan. */
export type LoanState = Data<'GET lending/orders'>['items'][number]['state']
