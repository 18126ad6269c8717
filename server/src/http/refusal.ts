import { codes } from '@candela/protocol/codes'
import type { Body } from '@candela/protocol/envelope'
import type { Language } from '@candela/protocol/language'
import { errorBody } from '../api/dispatch.ts'
import { type HeaderLines, JSON_TYPE } from './headers/security-headers.ts'

/** What is wrong with a request before anybody knows which call it is. */
export const notAccepted = (lang: Language): Body<never> => errorBody(codes.invalidInput, { field: 'request' }, lang)

/** The lines over a JSON text that is written past the routes. */
export const linesOver = (text: string, headers: HeaderLines): HeaderLines => ({
  ...headers,
  'content-type': JSON_TYPE,
  'content-length': String(Buffer.byteLength(text)),
})
