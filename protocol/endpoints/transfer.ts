import { z } from 'zod'
import { assetCodes } from '../money/assets.ts'
import { endpoint } from '../endpoint.ts'
import {
  addressData,
  amountData,
  signedOverAmountField,
  assetField,
  pageFields,
  pageOf,
  requestIdErrors,
  requestIdField,
  timeData,
} from '../fields.ts'

/** The recipient: the address or the UID of a registered account. */
const recipientField = z
  .string()
  .regex(/^(0x[0-9a-fA-F]{40}|[1-9][0-9]{0,17})$/, 'notARecipient')
  .transform((text) => text.toLowerCase())

/** Written as `Date.toISOString()` does, because the text itself is signed. */
const instantField = z.string().transform((text, context) => {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime()) && time.toISOString() === text) return time
  context.addIssue({ code: 'custom', message: 'notATime' })
  return z.NEVER
})

/** Hexadecimal bytes: 65 of a plain key, more of a contract wallet. */
const signatureField = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2}){1,8192}$/)
  .transform((text) => text.toLowerCase() as `0x${string}`)

const transferData = z.object({
  transferNo: z.string(),
  direction: z.enum(['out', 'in']),
  asset: z.enum(assetCodes),
  amount: amountData,
  fee: amountData,
  /** The other side. */
  counterparty: z.object({ uid: z.string(), maskedAddress: z.string() }),
  createdAt: timeData,
})

export const transferEndpoints = {
  'GET transfer/recipient': endpoint({
    summary: 'The account behind an address or a UID, to be shown and put into the signed terms.',
    auth: 'session',
    input: z.object({ to: recipientField }),
    data: z.object({
      uid: z.string(),
      address: addressData,
      /** True when it is the caller, to whom a transfer is refused. */
      self: z.boolean(),
    }),
    errors: ['recipientUnknown'],
  }),
  'POST transfer/index': endpoint({
    summary: 'Moves value to another account, on its owner’s signature over these terms (idempotent by requestId).',
    auth: 'session',
    input: z.object({
      to: recipientField,
      asset: assetField,
      amount: signedOverAmountField,
      requestId: requestIdField,
      /** At most ten minutes ahead. */
      deadline: instantField,
      /** EIP-712, over the terms with the recipient’s address: see `transferTypedData`. */
      signature: signatureField,
    }),
    data: z.object({ transfer: transferData }),
    errors: [
      'signatureWrong',
      ...requestIdErrors,
      'notEnoughBalance',
      'belowMinimum',
      'recipientUnknown',
      'termsExpired',
      'transferLimit',
      'pricePaused',
      'chainBehind',
    ],
  }),
  'GET transfer/list': endpoint({
    summary: 'Transfers of the caller, sent and received, newest first.',
    auth: 'session',
    input: z.object(pageFields),
    data: pageOf(transferData),
    errors: [],
  }),
}
