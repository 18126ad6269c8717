import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { answerClientError } from './client-error.ts'
import type { HeaderLines } from './headers/security-headers.ts'
import type { Admission } from './limits/admission.ts'
import type { ClientLimits } from './limits/client-limits.ts'
import { busyRefusal, headRefusal, refuse, unknownExpectation } from './refusal.ts'
import { OpenRequests } from './open-requests.ts'

/** More header fields than any browser and a few proxies together send. */
const MAX_FIELDS = 100

/**
 * How many requests of one connection may wait for their answers. Browsers and proxies send the next one after the answer; whoever
 * sends many at once and reads nothing would have each answer kept in memory.
 */
export const MAX_UNANSWERED = 4

export type HttpServerParts = {
  admission: Admission
  limits: ClientLimits
  /** Header lines of every answer that is given here, before there is a route. */
  headers: HeaderLines
  /** While true, each answer asks the client to close its connection. */
  isDraining: () => boolean
}

/**
 * The server under the routes. It limits how long it waits for each client, refuses what is refused by its head alone,
 * and answers bytes that are not HTTP. What it lets through goes to `listener`.
 */
export function createHttpServer(
  listener: RequestListener,
  { admission, limits, headers, isDraining }: HttpServerParts,
): Server {
  const openRequests = new OpenRequests()
  const refuseBusy = busyRefusal(headers)
  const server = createServer(
    {
      headersTimeout: limits.head_ms,
      requestTimeout: limits.request_ms,
      keepAliveTimeout: limits.idle_ms,
      connectionsCheckingInterval: limits.check_ms,
      // Checked by `headRefusal`, so that the answer has our shape.
      requireHostHeader: false,
      // A client that offers another protocol is answered in this one.
      shouldUpgradeCallback: () => false,
    },
    (request, response) => {
      // The limits of Node end a connection on which nothing moves, but not one whose client takes the answer byte by
      // byte.
      const giveUp = setTimeout(() => request.socket.destroy(), limits.answer_ms).unref()
      const waiting = openRequests.add(request)
      response.once('close', () => {
        clearTimeout(giveUp)
        admission.leave(response)
        openRequests.remove(request)
      })
      if (waiting > MAX_UNANSWERED) return void request.socket.destroy()
      if (isDraining()) response.shouldKeepAlive = false
      const refusal = headRefusal(request)
      if (refusal !== undefined) return refuse(response, refusal, headers)
      if (admission.isFull && request.url !== '/healthz') return refuseBusy(request, response)
      listener(request, response)
    },
  )
  server.maxHeadersCount = MAX_FIELDS
  server.maxConnections = limits.maxConnections
  server.on('checkExpectation', (request, response) => {
    openRequests.add(request)
    response.once('close', () => openRequests.remove(request))
    refuse(response, unknownExpectation(request), headers)
  })
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket, openRequests, headers))
  return server
}

/**
 * To be called when the server begins to close. Clients that are slow or silent have `close_ms`; then their connections
 * are closed, as soon as no request is worked on.
 */
export function closeSoon(server: Server, { admission, limits }: Pick<HttpServerParts, 'admission' | 'limits'>): void {
  // Without this a worker that has never listened would not end: its server emits no `close`.
  if (!server.listening) return
  const closing = setInterval(() => admission.underWay === 0 && server.closeAllConnections(), limits.close_ms)
  server.once('close', () => clearInterval(closing))
}
