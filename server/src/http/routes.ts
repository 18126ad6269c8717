import { isIP } from 'node:net'
import { endpointRoute } from '@candela/protocol/endpoint'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { GATEWAY_PATH } from '@candela/protocol/envelope/envelope'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DispatchText } from '../api/dispatch.ts'
import type { Readiness } from '../api/health.ts'
import { answer } from './answers.ts'
import type { Gateway, OuterRequest } from './gateway/gateway.ts'
import { JSON_TYPE } from './headers/security-headers.ts'
import { requestLanguage } from './request/request-language.ts'
import { tokenFromHeader } from './request/token.ts'

export function addPlainRoutes(app: FastifyInstance, dispatch: DispatchText): void {
  for (const key of Object.keys(endpoints) as Key[]) {
    const { method, path } = endpointRoute(key)
    app.route({
      method,
      url: path,
      async handler(request, reply) {
        const input = (method === 'GET' ? request.query : request.body) ?? {}
        const token = tokenFromHeader(request.headers.authorization)
        const text = await dispatch(key, input, { ...outerOf(request), token })
        return reply.type(JSON_TYPE).send(text)
      },
    })
  }
}

export function addGateway(app: FastifyInstance, gateway: Gateway): void {
  app.post(GATEWAY_PATH, async (request, reply) => {
    const result = await gateway(request.body, outerOf(request))
    if (result.status === 200) return reply.type('text/plain; charset=utf-8').send(result.text)
    if (result.wait_s !== undefined) reply.header('retry-after', String(result.wait_s))
    return answer(reply, result.status, result.body)
  })
}

export function addHealth(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  // Some balancers ask with HEAD.
  const withHead = { exposeHeadRoute: true }
  app.get('/healthz', withHead, (_request, reply) => reply.send({ alive: true }))
  app.get('/readyz', withHead, async (_request, reply) => {
    const state = await readiness()
    return reply.code(state.ready ? 200 : 503).send(state)
  })
}

const outerOf = (request: FastifyRequest): OuterRequest => ({
  lang: requestLanguage(request.headers),
  clientAddress: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 256),
})

/** The client's address; what a trusted proxy passes on and is no address counts as the proxy's own. */
function addressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip
}
