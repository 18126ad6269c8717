import { z } from 'zod'
import { assetCodes } from './money/assets.ts'
import { fromBaseUnits, MAX_INPUT_AMOUNT, parseAmount } from './money/money.ts'
import { DEFAULT_PAGE_LIMIT, PAGE_LIMIT } from './page.ts'
import { REQUEST_ID } from './request-id.ts'
import { ASSET_DECIMALS, WHOLE_UNIT } from './units.ts'

/**
 * The building blocks of every endpoint's input and data. Inputs arrive form-urlencoded, so each input field starts as
 * a text; data leaves as JSON, with amounts as decimal texts in whole units.
 */

/** A 20-byte address in any letter case; compared and stored in lower case. */
export const addressField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'notAnAddress')
  .transform((text) => text.toLowerCase() as `0x${string}`)

/** A 32-byte hash as data. */
export const hashData = z.string().regex(/^0x[0-9a-f]{64}$/)
export const addressData = z.string().regex(/^0x[0-9a-f]{40}$/)

/**
 * Made by the client from the server's time (`requestIdOf`), once for each thing that somebody wants done, and kept until its outcome
 * is known: the same id with the same input returns the first result. The server refuses ids that are older than 30 days or ahead.
 */
export const requestIdField = z.string().regex(REQUEST_ID)

/** Codes that a command answers when its request id is used up, besides 400 for an id that is ahead of time. */
export const requestIdErrors = ['requestIdReused', 'requestTooOld', 'requestGivenUp'] as const

export const assetField = z.enum(assetCodes)

/** The least that somebody wants to get, up to `MAX_INPUT_AMOUNT`; 0 sets no limit. Becomes base units. */
export const minimumField = z.string().transform((text, context) => {
  const parsed = parseAmount(text, ASSET_DECIMALS, MAX_INPUT_AMOUNT)
  if (parsed.ok) return parsed.amount
  context.addIssue({ code: 'custom', message: parsed.problem })
  return z.NEVER
})

/** An amount that was shown, 0 included, as its shortest text: one amount is the same input however it is written. */
export const shownAmountField = minimumField.transform((amount) => fromBaseUnits(amount))

/** A positive amount of whole units with at most 18 decimals, up to `MAX_INPUT_AMOUNT`; becomes base units. */
export const amountField = minimumField.superRefine((amount, context) => {
  if (amount === 0n) context.addIssue({ code: 'custom', message: 'notPositive' })
})

/** As `amountField`, in the shortest form, without zeros at its end: a signature is over this text. */
export const signedOverAmountField = z
  .string()
  .superRefine((text, context) => {
    if (text.includes('.') && text.endsWith('0')) context.addIssue({ code: 'custom', message: 'trailingZeros' })
  })
  .pipe(amountField)

/** A positive amount of whole units without a fraction; becomes base units. */
export const wholeAmountField = amountField.superRefine((amount, context) => {
  if (amount % WHOLE_UNIT !== 0n) context.addIssue({ code: 'custom', message: 'notAnInteger' })
})

/** A positive whole number that fits a JavaScript number exactly. */
export const countField = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/, 'notACount')
  .transform(Number)

/** A number that we give to a record, such as a loan. */
export const numberField = z.string().regex(/^[A-Z0-9]{8,32}$/)

/** Flags are sent as "1" and "0". */
export const flagField = z.enum(['0', '1']).transform((text) => text === '1')

/** Position and size of a page of every list: the opaque text of `nextCursor`, and the number of lines. */
export const pageFields = {
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/)
    .optional(),
  limit: z.string().regex(PAGE_LIMIT).transform(Number).prefault(String(DEFAULT_PAGE_LIMIT)),
}

/** Amounts, rates and prices as data: exact decimal texts, signed where the figure can be negative. */
export const amountData = z.string().regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/)
export const signedAmountData = z.string().regex(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/)

/** ISO 8601 in UTC, such as "2026-11-21T00:00:00.000Z". */
export const timeData = z.iso.datetime()

/** A UTC day, such as "2026-11-21". */
export const dayData = z.iso.date()

/** A UTC day as input. ISO 8601 permits the year 0000, the database does not. */
export const dayField = z.iso.date().regex(/^(?!0000)/)

/** An instant in UTC, in the years that Postgres can read: there is no year 0. */
export const instantField = z.iso
  .datetime()
  .regex(/^(?!0000)/)
  .transform((text) => new Date(text))

export const localizedText = z.object({ zh: z.string(), tw: z.string(), en: z.string() })

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })
