import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { codes } from '@candela/protocol/codes'
import type { Body } from '@candela/protocol/envelope'
import { type Language, languages } from '@candela/protocol/language'
import { must } from '../kernel/assert.ts'
import { type Admission, RETRY_AFTER_S } from './limits/admission.ts'
import { answerBadBytes } from './client-error.ts'
import type { ClientLimits } from './limits/client-limits.ts'
import type { Connections } from './limits/connections.ts'
import { errorBody } from '../api/dispatch.ts'
import { langOf } from './request/request-language.ts'
import { linesOver, notAccepted } from './refusal.ts'
import type { HeaderLines } from './headers/security-headers.ts'

/** More header fields than any browser and a few proxies together send. */
const MOST_FIELDS = 100

export type HttpServerParts = {
  admission: Admission
  connections: Connections
  limits: ClientLimits
  /** Lines of every answer that is given here, before there is a route. */
  headers: HeaderLines
}

/**
 * The server under the routes: it decides who is heard at all, for how long it waits for whom, and what is said to
 * bytes that are no request. What it lets through goes to `listener`.
 */
export function createHttpServer(listener: RequestListener, parts: HttpServerParts): Server {
  const { admission, connections, limits, headers } = parts
  const refuseBusy = busyAnswers(headers)
  const receive = (request: IncomingMessage, response: VisitedResponse) => {
    connections.asked(request.socket)
    const refusal = refusalOf(request)
    const isBusy = admission.isFull && request.url !== '/healthz'
    if (refusal !== undefined || isBusy) {
      response.on('close', () => connections.ended(request))
      return refusal === undefined ? refuseBusy(request, response) : refuse(response, refusal, headers)
    }
    const visit = new Visit(request, admission, connections)
    response.visit = visit
    response.on('close', () => visit.ended())
    visit.begin()
    listener(request, response)
  }
  const server = createServer<typeof IncomingMessage, typeof VisitedResponse>(
    {
      ServerResponse: VisitedResponse,
      headersTimeout: limits.head_ms,
      requestTimeout: limits.request_ms,
      keepAliveTimeout: limits.idle_ms,
      connectionsCheckingInterval: limits.check_ms,
      // Asked for below, where the answer is one of ours.
      requireHostHeader: false,
      // Whoever offers another protocol gets an answer in this one.
      shouldUpgradeCallback: () => false,
    },
    receive,
  )
  server.maxHeadersCount = MOST_FIELDS
  server.on('checkExpectation', (request, response) => {
    connections.asked(request.socket)
    response.on('close', () => connections.ended(request))
    refuse(response, { status: 417, body: notAccepted(langOf(request.headers)), lines: HANG_UP }, headers)
  })
  server.on('connection', (socket) => connections.opened(socket))
  server.on('clientError', (error, socket) => answerBadBytes(error, socket as Socket, connections, headers))
  server.on('listening', () => {
    const looking = setInterval(() => connections.look(), limits.check_ms).unref()
    server.once('close', () => clearInterval(looking))
  })
  return server
}

/** A response that tells when its head is written: from then on nothing is left to do but to send it. */
class VisitedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  visit: Visit | undefined

  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    this.visit?.answered()
    return super.writeHead(status, reason as string, headers)
  }
}

/**
 * One request, from its head to the end of its answer. It has a place from its head on, so that of many that come at once
 * no more get in than there is room for; one whose body did not come with its head gives the place back until the body is
 * there.
 */
class Visit {
  readonly #request: IncomingMessage
  readonly #admission: Admission
  readonly #connections: Connections
  #state: 'arriving' | 'working' | 'answered' = 'arriving'
  #hasPlace = false

  constructor(request: IncomingMessage, admission: Admission, connections: Connections) {
    this.#request = request
    this.#admission = admission
    this.#connections = connections
  }

  begin(): void {
    if (!hasBody(this.#request)) return this.#work()
    this.#connections.arriving(this.#request)
    this.#enter()
    // What came with the head was read by then.
    setImmediate(() => this.#state === 'arriving' && this.#leave())
    this.#request.on('end', () => this.#work())
  }

  answered(): void {
    if (this.#state === 'working') this.#connections.worked(this.#request.socket)
    this.#leave()
    this.#state = 'answered'
  }

  ended(): void {
    this.answered()
    this.#connections.ended(this.#request)
  }

  #work(): void {
    if (this.#state !== 'arriving') return
    this.#state = 'working'
    this.#enter()
    this.#connections.working(this.#request.socket)
  }

  #enter(): void {
    if (!this.#hasPlace) this.#admission.enter()
    this.#hasPlace = true
  }

  #leave(): void {
    if (this.#hasPlace) this.#admission.leave()
    this.#hasPlace = false
  }
}

/** Of the methods that there are, only this one waits for a body; the others are worked on at once. */
function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method !== 'POST') return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** What would still come is not read. */
const HANG_UP = { connection: 'close' }

type Refusal = { status: number; body: Body<never>; lines?: HeaderLines }

/** What is refused by its head alone. */
function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { host, 'content-encoding': encoding } = request.headers
  if (host === undefined && request.httpVersionMinor >= 1)
    return { status: 400, body: notAccepted(langOf(request.headers)), lines: HANG_UP }
  // Nothing that we are sent is worth compressing, and a few bytes could stand for very many.
  if (encoding !== undefined)
    return {
      status: 415,
      body: notAccepted(langOf(request.headers)),
      lines: { ...HANG_UP, 'accept-encoding': 'identity' },
    }
  return undefined
}

function refuse(response: ServerResponse, { status, body, lines }: Refusal, headers: HeaderLines): void {
  const text = JSON.stringify(body)
  response.writeHead(status, linesOver(text, { ...headers, ...lines })).end(text)
}

/**
 * The refusal of an overloaded server, made once in each language: while there is too much to do, what it takes to say so
 * is missing from what is done.
 */
function busyAnswers(headers: HeaderLines): (request: IncomingMessage, response: ServerResponse) => void {
  const answerIn = (lang: Language) => {
    const text = JSON.stringify(errorBody(codes.slowDown, { seconds: RETRY_AFTER_S }, lang))
    const lines = linesOver(text, { ...headers, 'retry-after': String(RETRY_AFTER_S) })
    return { lines: Object.entries(lines).flat(), text }
  }
  const answers = new Map(languages.map((lang) => [lang, answerIn(lang)]))
  return (request, response) => {
    const { lines, text } = must(answers.get(langOf(request.headers)), 'an answer for each language')
    response.writeHead(503, lines).end(text)
  }
}
