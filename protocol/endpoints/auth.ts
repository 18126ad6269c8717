import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { addressField, flagField, timeData } from '../fields.ts'
import { invitationCodePattern } from '../invitation-code.ts'

export const sessionData = z.object({
  id: z.uuid(),
  /** True for the session that makes this call. */
  current: z.boolean(),
  /** The User-Agent header of its sign-in, as sent. */
  userAgent: z.string(),
  signedInAt: timeData,
  /** When it was last used, accurate to five minutes. */
  seenAt: timeData,
})

export const authEndpoints = {
  'GET auth/loginMessage': endpoint({
    summary: 'An EIP-4361 message with a single-use nonce, valid for five minutes, for the wallet to sign.',
    auth: 'public',
    input: z.object({ address: addressField.optional() }),
    data: z.object({ message: z.string() }),
    errors: [],
  }),
  'POST auth/isRegister': endpoint({
    summary: 'Whether an address has an account already.',
    auth: 'public',
    input: z.object({ address: addressField }),
    data: z.object({ isRegister: z.boolean() }),
    errors: [],
  }),
  'POST auth/login': endpoint({
    summary: 'Exchanges a signed login message for a session token; a new address needs an invitation code.',
    auth: 'public',
    input: z.object({
      address: addressField,
      message: z.string().min(1).max(2_000),
      /** Hex; long enough for contract wallets (EIP-1271, EIP-6492). */
      sign_message: z.string().regex(/^0x([0-9a-fA-F]{2}){1,8192}$/),
      code: z.string().trim().toUpperCase().regex(invitationCodePattern).optional(),
      /** "1" signs the other devices out when the device limit is reached. */
      replace: flagField.optional(),
    }),
    data: z.object({ token: z.string() }),
    errors: [
      'deviceLimit',
      'invitationNeeded',
      'invitationUnknown',
      'loginMessageUsed',
      'signatureWrong',
      'chainBehind',
    ],
  }),
  'POST auth/logout': endpoint({
    summary: 'Ends the session whose token is sent.',
    auth: 'session',
    input: z.object({}),
    data: z.object({}),
    errors: [],
  }),
  'GET auth/sessions': endpoint({
    summary: 'The devices that are signed in to this account, the newest sign-in first.',
    auth: 'session',
    input: z.object({}),
    data: z.object({ items: z.array(sessionData) }),
    errors: [],
  }),
  'POST auth/revoke': endpoint({
    summary: 'Signs one device out by the id of its session, or with others=1 all but the one that asks.',
    auth: 'session',
    input: z
      .object({ id: z.uuid().optional(), others: flagField.optional() })
      .refine(({ id, others }) => (id !== undefined) !== (others === true), { path: ['id'] }),
    data: z.object({ ended: z.number().int() }),
    errors: ['notFound'],
  }),
}
