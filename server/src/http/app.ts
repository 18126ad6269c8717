import formbody from '@fastify/formbody'
import helmet from '@fastify/helmet'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { codes } from '@candela/protocol/codes'
import { endpointRoute } from '@candela/protocol/endpoint'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { type Body, GATEWAY_PATH } from '@candela/protocol/envelope'
import { DEFAULT_LANGUAGE, type Language, languageFromHeader } from '@candela/protocol/language'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Log } from '../kernel/log.ts'
import { admit, RETRY_AFTER_S } from './admission.ts'
import { addDocs } from './docs-page.ts'
import { type Dispatch, errorBody } from './dispatch.ts'
import type { Gateway } from './gateway.ts'
import { type HealthChecks, readiness } from './health.ts'
import { serveWeb } from './static-web.ts'
import { tokenFromHeader } from './token.ts'

export type AppDeps = {
  dispatch: Dispatch
  gateway: Gateway
  health: HealthChecks
  log: Log
  /** True leaves the plain routes out: only the gateway, health and static files answer. */
  envelopeOnly: boolean
  trustProxy: false | string[]
  /** Absolute path of the built web app; undefined serves none. */
  webDist: string | undefined
  /** Where people open the app; https turns on what only makes sense there. */
  publicOrigin: string
  /** Origins besides our own that the page may ask: the RPC endpoints of the network config. */
  connectOrigins: readonly string[]
}

// The largest envelope is 64 KiB of base64, of which "+", "/" and "=" take three bytes in a form.
const BODY_LIMIT_BYTES = 96 * 1024

/** The whole HTTP side, not listening yet. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    // Dispatch logs each call once, with its route; fastify's own lines would repeat it without.
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: deps.trustProxy,
    exposeHeadRoutes: false,
    serverFactory: (listener) => {
      const server = createServer(admit(listener, ({ headers }) => busyBody(langOf(headers))))
      return Object.assign(server, { requestTimeout: 30_000, keepAliveTimeout: 65_000 })
    },
    clientErrorHandler: answerBadBytes,
    // On close, kept-alive connections without a request are ended at once.
    forceCloseConnections: 'idle',
  })
  // Forms only: JSON or text bodies would be a second way to say everything.
  app.removeAllContentTypeParsers()
  app.setErrorHandler((error, request, reply) => answerError(deps.log, error, request, reply))
  app.setNotFoundHandler((request, reply) => answer(reply, 404, errorBody(codes.notFound, {}, langOf(request.headers))))
  await app.register(formbody)
  await app.register(helmet, securityHeaders(deps))
  addHealth(app, deps)
  addGateway(app, deps.gateway)
  if (!deps.envelopeOnly) {
    addPlainRoutes(app, deps.dispatch)
    addDocs(app)
  }
  if (deps.webDist !== undefined) await serveWeb(app, deps.webDist)
  return app
}

function addPlainRoutes(app: FastifyInstance, dispatch: Dispatch): void {
  for (const key of Object.keys(endpoints) as Key[]) {
    const { method, path } = endpointRoute(key)
    app.route({
      method,
      url: path,
      async handler(request, reply) {
        const body = await dispatch(key, (method === 'GET' ? request.query : request.body) ?? {}, {
          lang: langOf(request.headers),
          token: tokenFromHeader(request.headers.authorization),
          clientAddress: request.ip,
          userAgent: userAgentOf(request),
        })
        return answer(reply, 200, body)
      },
    })
  }
}

function addGateway(app: FastifyInstance, gateway: Gateway): void {
  app.post(GATEWAY_PATH, async (request, reply) => {
    const result = await gateway(request.body, {
      lang: langOf(request.headers),
      clientAddress: request.ip,
      userAgent: userAgentOf(request),
    })
    if (result.status === 200) {
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(result.text)
    }
    if (result.wait_s !== undefined) reply.header('retry-after', String(result.wait_s))
    return answer(reply, result.status, result.body)
  })
}

function addHealth(app: FastifyInstance, deps: AppDeps): void {
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ alive: true }))
  app.get('/readyz', async (_request, reply) => {
    const state = await readiness(deps.health, deps.log)
    return reply
      .code(state.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(state)
  })
}

function answer(reply: FastifyReply, status: number, body: Body<unknown>): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body)
}

/** What is no HTTP at all, or has more in its head than anybody needs: there is no request to answer, only a socket. */
function answerBadBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const failure = tooLarge
    ? errorBody(codes.tooLarge, {}, DEFAULT_LANGUAGE)
    : errorBody(codes.invalidInput, { field: 'request' }, DEFAULT_LANGUAGE)
  const body = JSON.stringify(failure)
  const head = [`HTTP/1.1 ${status}`, 'content-type: application/json; charset=utf-8', 'connection: close']
  socket.end(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

/** Failures outside of dispatch: what fastify itself refuses, and our own mistakes in the adapters. */
function answerError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = statusOf(error)
  if (status === 413) return answer(reply, 413, errorBody(codes.tooLarge, {}, langOf(request.headers)))
  if (status >= 400 && status < 500) {
    return answer(reply, status, errorBody(codes.invalidInput, { field: 'request' }, langOf(request.headers)))
  }
  log.error({ err: error, path: request.routeOptions.url }, 'request failed outside of a call')
  return answer(reply, 500, errorBody(codes.ourFault, {}, langOf(request.headers)))
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500
  return typeof error.statusCode === 'number' ? error.statusCode : 500
}

function langOf(headers: IncomingHttpHeaders) {
  const header = headers['lang']
  return languageFromHeader(typeof header === 'string' ? header : undefined)
}

const busyBody = (lang: Language): string => JSON.stringify(errorBody(codes.slowDown, { seconds: RETRY_AFTER_S }, lang))

const userAgentOf = (request: FastifyRequest): string => (request.headers['user-agent'] ?? '').slice(0, 256)

function securityHeaders({ publicOrigin, connectOrigins }: AppDeps) {
  const https = publicOrigin.startsWith('https:')
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        // Wallets announce their icons as data URIs (EIP-6963).
        'img-src': ["'self'", 'data:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", ...connectOrigins],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        ...(https ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    // Some wallets open a window and talk to it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'no-referrer' },
  } as const
}
