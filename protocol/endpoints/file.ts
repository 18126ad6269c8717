import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dayField, timeData } from '../fields.ts'
import { statementFilterFields } from './statement.ts'

/** 256 random bits as base64url. */
const tokenField = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

export const fileEndpoints = {
  'POST file/link': endpoint({
    summary:
      'A token by which another browser takes a file of the caller once, without a session and within ten minutes. It takes the place of the one before.',
    auth: 'session',
    input: z.object({
      file: z.enum(['statement', 'proof']),
      /** Of a statement. */
      ...statementFilterFields,
      /** Of a proof; by default the last attested one. */
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
