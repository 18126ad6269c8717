import type { Socket } from 'node:net'
import { codes } from '@candela/protocol/codes/codes'
import { DEFAULT_LANGUAGE } from '@candela/protocol/language'
import { errorBody } from '../api/error-body.ts'
import type { HeaderLines } from './headers/security-headers.ts'
import { linesOver, notAccepted } from './refusal.ts'
import { requestLanguage } from './request/request-language.ts'
import type { OpenRequests } from './open-requests.ts'

/** How long a client has for reading a last answer before its connection is closed; what it sends meanwhile is not read. */
const LINGER_MS = 1_000

const answers: Record<string, { status: string; tooLarge: boolean }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', tooLarge: true },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: '413 Content Too Large', tooLarge: true },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', tooLarge: false },
}

const answered = new WeakSet<Socket>()

/**
 * Answers bytes that are not HTTP, a head that is too large, and a request that took too long. There may be no request
 * object yet, so the answer is written to the socket, which is then closed.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  openRequests: OpenRequests,
  headers: HeaderLines,
): void {
  // Each further piece that the client sends raises the error again.
  if (answered.has(socket) || socket.destroyed) return
  const { may, request } = openRequests.answerable(socket)
  if (error.code === 'ECONNRESET' || !may || !socket.writable) {
    socket.destroy()
    return
  }
  answered.add(socket)
  const { status, tooLarge } = answers[error.code ?? ''] ?? { status: '400 Bad Request', tooLarge: false }
  const lang = request === undefined ? DEFAULT_LANGUAGE : requestLanguage(request.headers)
  const body = JSON.stringify(tooLarge ? errorBody(codes.tooLarge, {}, lang) : notAccepted(lang))
  const head = Object.entries(linesOver(body, { ...headers, connection: 'close' })).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.pause()
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
