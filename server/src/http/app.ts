import { codes } from '@candela/protocol/codes'
import { endpointRoute } from '@candela/protocol/endpoint'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { type Body, GATEWAY_PATH } from '@candela/protocol/envelope'
import { isIP } from 'node:net'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Admission, RETRY_AFTER_S } from './limits/admission.ts'
import { type ClientLimits, clientLimits } from './limits/client-limits.ts'
import { Connections } from './limits/connections.ts'
import { addDocs } from './static/docs-page.ts'
import { type Ask, errorBody, referenceOf } from '../api/dispatch.ts'
import { readForm } from './request/form-body.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Readiness } from '../api/health.ts'
import { createHttpServer } from './http-server.ts'
import { langOf } from './request/request-language.ts'
import type { GaugeSource } from '../api/metrics.ts'
import { notAccepted } from './refusal.ts'
import { JSON_TYPE, securityHeaders } from './headers/security-headers.ts'
import { serveWeb } from './static/static-web.ts'
import { tokenFromHeader } from './request/token.ts'

export type AppDeps = {
  ask: Ask
  gateway: Gateway
  readiness: () => Promise<Readiness>
  /** True leaves the plain routes out: only the gateway, health and static files answer. */
  envelopeOnly: boolean
  trustProxy: false | string[]
  /** Absolute path of the built web app; undefined serves none. */
  webDist: string | undefined
  /** Where people open the app; https turns on what only makes sense there. */
  publicOrigin: string
  /** Origins besides our own that the page may ask: the RPC endpoints of the network config. */
  connectOrigins: readonly string[]
  /** Names an unexpected failure outside of a call, for the log and for whoever saw it. */
  callId: () => string
  /** Told of what fails outside of a call, which nobody else hears of. */
  onFailure: (failure: { callId: string; error: unknown; path: string | undefined }) => void
  /** Takes figures about clients for the operator; undefined where nobody looks. */
  addGauge?: (source: GaugeSource) => void
  /** How long clients are waited for; tests wait less. */
  limits?: ClientLimits
}

// The largest envelope is 64 KiB of base64, of which "+", "/" and "=" take three bytes in a form.
const BODY_LIMIT_BYTES = 96 * 1024

/** The whole HTTP side, not listening yet. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const headers = securityHeaders(deps.publicOrigin, deps.connectOrigins)
  const limits = deps.limits ?? clientLimits
  const connections = new Connections(limits)
  const admission = new Admission()
  for (const gauge of clientGauges(connections, admission)) deps.addGauge?.(gauge)
  const app = fastify({
    // Dispatch logs each call once, with its route; fastify's own lines would repeat it without.
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: deps.trustProxy,
    exposeHeadRoutes: false,
    serverFactory: (listener) => createHttpServer(listener, { admission, connections, limits, headers: headers.api }),
    // The server above answers them.
    clientErrorHandler: () => undefined,
    // A path that cannot be decoded is refused before there is a route and its hooks.
    frameworkErrors: (error, request, reply) => void answerError(deps, error, request, reply.headers(headers.api)),
    // What comes on open connections while we close is answered; then they are closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  app.addHook('preClose', async () => connections.hurry())
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers.api)
    done()
  })
  takeForms(app, admission)
  app.setErrorHandler((error, request, reply) => answerError(deps, error, request, reply))
  app.setNotFoundHandler((request, reply) => answer(reply, 404, errorBody(codes.notFound, {}, langOf(request.headers))))
  addHealth(app, deps)
  addGateway(app, deps.gateway)
  if (!deps.envelopeOnly) {
    addPlainRoutes(app, deps.ask)
    addDocs(app, headers.docs)
  }
  if (deps.webDist !== undefined) await serveWeb(app, deps.webDist, headers.page)
  return app
}

function clientGauges(connections: Connections, admission: Admission): GaugeSource[] {
  return [
    { name: 'candela_http_under_way', help: 'Requests that are worked on.', read: () => admission.underWay },
    { name: 'candela_http_connections', help: 'Open connections.', read: () => connections.figures.open },
    {
      name: 'candela_http_bodies_arriving',
      help: 'Requests whose body is on its way.',
      read: () => connections.figures.arriving,
    },
    {
      name: 'candela_http_cut_off',
      help: 'Connections ended so far because they kept us waiting.',
      read: () => connections.figures.cutOff,
    },
  ]
}

/** Forms only: JSON or text bodies would be a second way to say everything. */
function takeForms(app: FastifyInstance, admission: Admission): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      const form = admission.isOver ? null : readForm(body)
      if (form !== null) return done(null, form)
      done(new Refused(admission.isOver ? 503 : 400))
    },
  )
}

/** A request that is refused with this status. */
class Refused extends Error {
  readonly statusCode: number

  constructor(statusCode: number) {
    super(`refused with ${statusCode}`)
    this.statusCode = statusCode
  }
}

function addPlainRoutes(app: FastifyInstance, ask: Ask): void {
  for (const key of Object.keys(endpoints) as Key[]) {
    const { method, path } = endpointRoute(key)
    app.route({
      method,
      url: path,
      async handler(request, reply) {
        const text = await ask(key, (method === 'GET' ? request.query : request.body) ?? {}, {
          lang: langOf(request.headers),
          token: tokenFromHeader(request.headers.authorization),
          clientAddress: addressOf(request),
          userAgent: userAgentOf(request),
        })
        return reply.type(JSON_TYPE).send(text)
      },
    })
  }
}

function addGateway(app: FastifyInstance, gateway: Gateway): void {
  app.post(GATEWAY_PATH, async (request, reply) => {
    const result = await gateway(request.body, {
      lang: langOf(request.headers),
      clientAddress: addressOf(request),
      userAgent: userAgentOf(request),
    })
    if (result.status === 200) {
      return reply.type('text/plain; charset=utf-8').send(result.text)
    }
    if (result.wait_s !== undefined) reply.header('retry-after', String(result.wait_s))
    return answer(reply, result.status, result.body)
  })
}

function addHealth(app: FastifyInstance, deps: AppDeps): void {
  // Some balancers ask with HEAD.
  const asked = { exposeHeadRoute: true }
  app.get('/healthz', asked, (_request, reply) => reply.send({ alive: true }))
  app.get('/readyz', asked, async (_request, reply) => {
    const state = await deps.readiness()
    return reply.code(state.ready ? 200 : 503).send(state)
  })
}

function answer(reply: FastifyReply, status: number, body: Body<unknown>): FastifyReply {
  return reply.code(status).type(JSON_TYPE).send(body)
}

/** Failures outside of dispatch: what fastify itself refuses, and our own mistakes in the adapters. */
function answerError(
  { callId, onFailure }: AppDeps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = statusOf(error)
  const lang = langOf(request.headers)
  if (status === 413) return answer(reply, 413, errorBody(codes.tooLarge, {}, lang))
  if (status >= 400 && status < 500) return answer(reply, status, notAccepted(lang))
  if (error instanceof Refused) {
    reply.header('retry-after', String(RETRY_AFTER_S))
    return answer(reply, status, errorBody(codes.slowDown, { seconds: RETRY_AFTER_S }, lang))
  }
  const id = callId()
  onFailure({ callId: id, error, path: request.routeOptions.url })
  return answer(reply, 500, errorBody(codes.ourFault, { reference: referenceOf(id) }, lang))
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500
  return typeof error.statusCode === 'number' ? error.statusCode : 500
}

const userAgentOf = (request: FastifyRequest): string => (request.headers['user-agent'] ?? '').slice(0, 256)

/** The client's address; what a trusted proxy passes on and is no address counts as the proxy's own. */
function addressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip
}
