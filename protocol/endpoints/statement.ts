import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import {
  amountData,
  assetField,
  dayField,
  hashData,
  instantField,
  pageFields,
  pageOf,
  signedAmountData,
  timeData,
} from '../fields.ts'
import { type MemberPostingKind, memberPostingKinds } from '../posting-kinds.ts'

/** Kinds with commas between them. */
const kindsField = z
  .string()
  .max(512)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(memberPostingKinds)).min(1))

/** `ledgerSequence` of an attestation. */
const sequenceField = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,17})$/, 'notACount')
  .transform(BigInt)

/** `available` can be spent; `held` is held for withdrawals. */
const accountField = z.enum(['available', 'held'])

/** Number of a form for programs, which never changes: codes and ids instead of words. */
const formatField = z.enum(['1'])

/** The place in the file, with the sums up to there. */
const fileCursorField = z.string().regex(/^[A-Za-z0-9_-]{1,256}$/)

const filterFields = {
  kinds: kindsField.optional(),
  asset: assetField.optional(),
  account: accountField.optional(),
  /** Up to this posting of the ledger: what was posted later is left out, whatever its time. */
  upTo: sequenceField.optional(),
  /** Booked from this instant on, and before that one. */
  since: instantField.optional(),
  before: instantField.optional(),
}

const lineData = z.object({
  /** Unique among the caller's lines. */
  id: z.string(),
  kind: z.enum(memberPostingKinds),
  account: accountField,
  asset: z.enum(assetCodes),
  /** The change of the account's balance. */
  amount: signedAmountData,
  /** The account's balance after this line. */
  balance: amountData,
  /** When it was recorded: this orders lines, cuts periods and carries `balance`. Never changes, and is never earlier than that of the line before. */
  bookedAt: timeData,
  /** When it happened: the time of its block for a payment on chain, else that of the command. The value date. */
  at: timeData,
  /** True for the fee of the withdrawal that the line belongs to; its payment is a line of its own. */
  isFee: z.boolean(),
  /** The record that it belongs to; null when that has no number. */
  reference: z
    .object({
      type: z.enum(['order', 'deposit', 'withdrawal', 'transfer', 'exchange', 'day', 'loan']),
      no: z.string(),
    })
    .nullable(),
  txHash: hashData.nullable(),
  /** The other side of a transfer. */
  counterparty: z.object({ uid: z.string(), maskedAddress: z.string() }).nullable(),
})

const balanceData = z.object({
  asset: z.enum(assetCodes),
  account: accountField,
  /** The account's balance before the first line of the period, and after the last. The period's lines sum to the difference. */
  opening: amountData,
  closing: amountData,
})

export type PeriodBalance = z.output<typeof balanceData>
export type StatementItem = z.output<typeof lineData>
export type StatementKind = MemberPostingKind

export const statementEndpoints = {
  'GET statement/period': endpoint({
    summary:
      'The balances of the caller’s accounts at the beginning and at the end of a period, by booking times, and whether they change no more.',
    auth: 'session',
    input: z.object({ since: instantField, before: instantField }),
    data: z.object({
      since: timeData,
      before: timeData,
      /** Every transaction that may book before the end has ended: lines and balances of the period are the same for ever. */
      isFinal: z.boolean(),
      /** Periods that end by then are final; null before the first is. */
      finalBefore: timeData.nullable(),
      balances: z.array(balanceData),
    }),
    errors: [],
  }),
  'GET statement/list': endpoint({
    summary:
      'Every entry of the caller’s accounts in one timeline, newest first; an asset’s amounts sum to its balance.',
    auth: 'session',
    input: z.object({ ...filterFields, ...pageFields }),
    data: pageOf(lineData),
    errors: [],
  }),
  'GET statement/csv': endpoint({
    summary:
      'The same lines as the text of a CSV file (RFC 4180), in pieces to be put together: for people, in LANG; with `format` for programs, once the period is final, the same text for ever.',
    auth: 'session',
    input: z.object({ ...filterFields, format: formatField.optional(), cursor: fileCursorField.optional() }),
    data: z.object({
      /** The first piece begins with the headings. */
      text: z.string(),
      /** The cursor of the next piece; null after the last. */
      nextCursor: z.string().nullable(),
    }),
    errors: [],
  }),
}

/** 256 random bits as base64url. */
const tokenField = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** Files for a browser that is not signed in, because the one that is saves none. */
export const fileEndpoints = {
  'POST file/link': endpoint({
    summary:
      'A token by which another browser takes a file of the caller once, without a session and within ten minutes. It takes the place of the one before.',
    auth: 'session',
    input: z.object({
      file: z.enum(['statement', 'proof']),
      /** The filter of a statement. */
      ...filterFields,
      format: formatField.optional(),
      /** The day of a proof; by default the last attested one. */
      day: dayField.optional(),
    }),
    data: z.object({ token: tokenField, expiresAt: timeData }),
    errors: [],
  }),
  'POST file/take': endpoint({
    summary:
      'The file of a token, which is good for nothing more then. A long file comes in pieces, each with the token of the next.',
    auth: 'public',
    input: z.object({ token: tokenField }),
    data: z.object({
      name: z.string(),
      mime: z.string(),
      /** The pieces put together are the file. */
      text: z.string(),
      /** The token of the next piece, good for ten minutes; null after the last. */
      next: tokenField.nullable(),
    }),
    errors: ['notFound'],
  }),
}
