import { codes } from '@candela/protocol/codes/codes'
import { fastify, type FastifyInstance } from 'fastify'
import type { DispatchText } from '../api/dispatch.ts'
import { errorBody } from '../api/error-body.ts'
import type { Readiness } from '../api/health.ts'
import type { GaugeSource } from '../kernel/gauge.ts'
import { answer, answerError, type FailureDeps, Refused } from './answers.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Clock } from '../kernel/clock.ts'
import { hasOtherOrigin, type InlineHashes, preflightLines, securityHeaders } from './headers/security-headers.ts'
import { closeSoon, createHttpServer } from './http-server.ts'
import { Admission } from './limits/admission.ts'
import { type ClientLimits, clientLimits } from './limits/client-limits.ts'
import { readForm } from './request/form-body.ts'
import { requestLanguage } from './request/request-language.ts'
import { addGateway, addHealth, addPlainRoutes } from './routes.ts'
import { addDocs } from './static/docs-page.ts'
import { placeInApp } from './static/place-in-app.ts'
import { serveWeb } from './static/static-web.ts'

export type AppDeps = FailureDeps & {
  dispatch: DispatchText
  gateway: Gateway
  readiness: () => Promise<Readiness>
  /** Without the plain routes only the gateway, health and static files answer. */
  envelopeOnly: boolean
  trustProxy: false | string[]
  /** Absolute path of the built web app; undefined serves none. */
  webDist: string | undefined
  /** Where people open the app; https turns on what only makes sense there. */
  publicOrigin: string
  /** Origins besides our own that the page may ask: the RPC endpoints of the network config. */
  connectOrigins: readonly string[]
  /** Adds a gauge about clients to the metrics; undefined where there are no metrics. */
  addGauge?: (source: GaugeSource) => void
  /** Where the page sends its calls when that is not its own origin. */
  apiOrigin: string | undefined
  /** Origins that the page may show pictures from. */
  imageOrigins: readonly string[]
  /** The hashes of the inline scripts and style sheets that the page may use. */
  inlineHashes: InlineHashes
  /** True from when no more connections should be kept until the server closes. */
  isDraining?: () => boolean
  /** How long clients are waited for; tests wait less. */
  limits?: ClientLimits
  /** Where the server's clock is not the machine's: answers are dated by it, because the app makes its request ids from their dates. */
  clock?: Clock | undefined
}

// The largest envelope is 64 KiB of base64, of which "+", "/" and "=" take three bytes in a form.
const BODY_LIMIT_BYTES = 96 * 1024

/** The whole HTTP side, not listening yet. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const headers = securityHeaders(deps)
  const limits = deps.limits ?? clientLimits
  const admission = new Admission()
  const isDraining = deps.isDraining ?? (() => false)
  const app = fastify({
    // Dispatch logs each call once, with its route; fastify's own lines would repeat it without.
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: deps.trustProxy,
    exposeHeadRoutes: false,
    serverFactory: (listener) => createHttpServer(listener, { admission, limits, headers: headers.api, isDraining }),
    // The server above answers them.
    clientErrorHandler: () => undefined,
    // A path that cannot be decoded is refused before there is a route and its hooks.
    frameworkErrors: (error, request, reply) => void answerError(deps, error, request, reply.headers(headers.api)),
    // Requests that come on open connections while the server closes are answered; then they are closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  app.addHook('preClose', async () => closeSoon(app.server, { admission, limits }))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers.api)
    if (deps.clock !== undefined) reply.header('date', deps.clock.now().toUTCString())
    done()
  })
  countWork(app, admission)
  takeForms(app, admission)
  app.setErrorHandler((error, request, reply) => answerError(deps, error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const inApp = deps.webDist === undefined ? null : placeInApp(request)
    if (inApp !== null) return reply.redirect(inApp, 302)
    return answer(reply, 404, errorBody(codes.notFound, {}, requestLanguage(request.headers)))
  })
  for (const gauge of clientGauges(app, admission)) deps.addGauge?.(gauge)
  addHealth(app, deps.readiness)
  addGateway(app, deps.gateway)
  if (hasOtherOrigin(deps)) app.options('/api/*', (_request, reply) => reply.code(204).headers(preflightLines).send())
  if (!deps.envelopeOnly) {
    addPlainRoutes(app, deps.dispatch)
    addDocs(app, headers.docs)
  }
  if (deps.webDist !== undefined) await serveWeb(app, deps.webDist, headers)
  return app
}

/** A request counts as work from when its body is complete until its answer is ready to be sent. */
function countWork(app: FastifyInstance, admission: Admission): void {
  app.addHook('preHandler', (_request, reply, done) => {
    admission.enter(reply.raw)
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    admission.leave(reply.raw)
    done(null, payload)
  })
}

function clientGauges(app: FastifyInstance, admission: Admission): GaugeSource[] {
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  return [
    { name: 'candela_http_under_way', help: 'Requests that are worked on.', read: () => admission.underWay },
    { name: 'candela_http_connections', help: 'Open connections.', read: connections },
  ]
}

/** Only forms are accepted: JSON or text bodies would be a second format for the same input. */
function takeForms(app: FastifyInstance, admission: Admission): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      // Requests are admitted by their heads, so the bodies of too many may arrive at the same time.
      const form = admission.isFull ? null : readForm(body)
      if (form !== null) return done(null, form)
      done(new Refused(admission.isFull ? 503 : 400))
    },
  )
}
