import {
  addressData,
  amountData,
  dayData,
  hashData,
  localizedText,
  signedAmountData,
  timeData,
} from '@candela/protocol/fields'
import { sumData } from '@candela/protocol/proof/proof-file'
import type { NamedSchema, Texts } from './described.ts'

/** Schemas of single values that all areas use. */
export const values: Readonly<Record<string, NamedSchema>> = {
  Amount: {
    schema: amountData,
    text: 'A decimal text, exact and in its shortest form: amounts in whole units of their asset with up to 18 decimals, rates as fractions with up to 6 ("0.05" is 5 %).',
  },
  SignedAmount: { schema: signedAmountData, text: 'As Amount, with a minus sign where it is below zero.' },
  BaseUnits: {
    schema: sumData,
    text: 'A whole number of base units as a decimal text: 10^18 base units are one whole unit of any asset. Below 2^128.',
  },
  Time: { schema: timeData, text: 'An instant, ISO 8601 in UTC.' },
  Day: { schema: dayData, text: 'A UTC day, as year-month-day.' },
  Hash: { schema: hashData, text: '32 bytes in lower-case hexadecimal.' },
  Address: { schema: addressData, text: 'An address of the chain in lower case.' },
  LocalizedText: {
    schema: localizedText,
    text: 'The same text in three languages.',
    properties: {
      zh: 'In Simplified Chinese, as written on the mainland.',
      tw: 'In Traditional Chinese, as written in Taiwan and Hong Kong.',
      en: 'In English.',
    },
  },
}

/** Properties that mean the same wherever they stand. */
export const everywhere: Texts = {
  requestId:
    'A UUIDv7 that the caller makes from the time of the service, once for each thing that it wants done. The same id with the same input gives the first answer and does nothing more; with another input 4090. Refused when it is older than 30 days (4091) or ahead of time (400).',
  cursor: 'The `nextCursor` of the page before; absent for the first page.',
  limit: 'Lines of a page, 1 to 100.',
  nextCursor: 'Where the next page begins; null after the last one.',
}
