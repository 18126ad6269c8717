import type { IncomingMessage, ServerResponse } from 'node:http'
import { codes } from '@candela/protocol/codes/codes'
import type { Body } from '@candela/protocol/envelope/envelope'
import { type Language, languages } from '@candela/protocol/language'
import { errorBody } from '../api/error-body.ts'
import { must } from '../kernel/assert.ts'
import { type HeaderLines, JSON_TYPE } from './headers/security-headers.ts'
import { RETRY_AFTER_S } from './limits/admission.ts'
import { requestLanguage } from './request/request-language.ts'

/** The body for a request that is refused before it is known which call it is. */
export const notAccepted = (lang: Language): Body<never> => errorBody(codes.invalidInput, { field: 'request' }, lang)

/** The header lines of a JSON text that is written without a route. */
export const linesOver = (text: string, headers: HeaderLines): HeaderLines => ({
  ...headers,
  'content-type': JSON_TYPE,
  'content-length': String(Buffer.byteLength(text)),
})

type Refusal = { status: number; body: Body<never>; lines: HeaderLines }

/** The rest of the request is not read. */
const CLOSE = { connection: 'close' }

/** The refusal of a request whose head alone shows that it is not accepted. */
export function headRefusal(request: IncomingMessage): Refusal | undefined {
  const { host, 'content-encoding': encoding } = request.headers
  if (host === undefined && request.httpVersionMinor >= 1) return refusalOf(request, 400, CLOSE)
  // Requests are too small to gain by compression, and few compressed bytes could expand to very many.
  if (encoding !== undefined) return refusalOf(request, 415, { ...CLOSE, 'accept-encoding': 'identity' })
  return undefined
}

/** For an `Expect` line with anything but `100-continue`. */
export const unknownExpectation = (request: IncomingMessage): Refusal => refusalOf(request, 417, CLOSE)

const refusalOf = ({ headers }: IncomingMessage, status: number, lines: HeaderLines): Refusal => ({
  status,
  body: notAccepted(requestLanguage(headers)),
  lines,
})

export function refuse(response: ServerResponse, { status, body, lines }: Refusal, headers: HeaderLines): void {
  const text = JSON.stringify(body)
  response.writeHead(status, linesOver(text, { ...headers, ...lines })).end(text)
}

/**
 * Answers 503 for an overloaded server. The answers are built once in each language, because time that a refusal takes
 * is missing for the requests that are served.
 */
export function busyRefusal(headers: HeaderLines): (request: IncomingMessage, response: ServerResponse) => void {
  const answerIn = (lang: Language) => {
    const text = JSON.stringify(errorBody(codes.slowDown, { seconds: RETRY_AFTER_S }, lang))
    const lines = linesOver(text, { ...headers, 'retry-after': String(RETRY_AFTER_S) })
    return { lines: Object.entries(lines).flat(), text }
  }
  const answers = new Map(languages.map((lang) => [lang, answerIn(lang)]))
  return (request, response) => {
    const { lines, text } = must(answers.get(requestLanguage(request.headers)), 'an answer for each language')
    response.writeHead(503, lines).end(text)
  }
}
