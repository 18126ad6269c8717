import type { Socket } from 'node:net'
import { codes } from '@candela/protocol/codes'
import { DEFAULT_LANGUAGE } from '@candela/protocol/language'
import type { Connections } from './limits/connections.ts'
import { errorBody } from '../api/dispatch.ts'
import { langOf } from './request/request-language.ts'
import { linesOver, notAccepted } from './refusal.ts'
import type { HeaderLines } from './headers/security-headers.ts'

/** How long a client has for reading a last answer before we hang up; what it sends meanwhile is not read. */
const LINGER_MS = 1_000

const badBytes: Record<string, { status: string; tooLarge: boolean }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', tooLarge: true },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: '413 Content Too Large', tooLarge: true },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', tooLarge: false },
}

const refused = new WeakSet<Socket>()

/** What is no HTTP, has more in its head than anybody needs, or took too long: often there is only a socket. */
export function answerBadBytes(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connections: Connections,
  headers: HeaderLines,
): void {
  // Each further piece that it sends is an error again.
  if (refused.has(socket) || socket.destroyed) return
  const { may, request } = connections.sayable(socket)
  if (error.code === 'ECONNRESET' || !may || !socket.writable) {
    socket.destroy()
    return
  }
  refused.add(socket)
  const { status, tooLarge } = badBytes[error.code ?? ''] ?? { status: '400 Bad Request', tooLarge: false }
  const lang = request === undefined ? DEFAULT_LANGUAGE : langOf(request.headers)
  const body = JSON.stringify(tooLarge ? errorBody(codes.tooLarge, {}, lang) : notAccepted(lang))
  const head = Object.entries(linesOver(body, { ...headers, connection: 'close' })).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.pause()
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
