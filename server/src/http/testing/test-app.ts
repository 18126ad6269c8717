import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { DispatchText } from '../../api/dispatch.ts'
import { type HealthChecks, readinessOf } from '../../api/health.ts'
import { createTestDispatch, type TestDispatch, type TestDispatchOptions } from '../../api/testing/test-dispatch.ts'
import { silentLog } from '../../kernel/log.ts'
import { type AppDeps, createApp } from '../app.ts'
import { createGateway } from '../gateway/gateway.ts'
import { createUsedHandshakes } from '../gateway/used-handshakes.ts'

export { TEST_TOKEN } from '../../api/testing/test-dispatch.ts'

export type TestApp = Omit<TestDispatch, 'limits' | 'callId'> & { app: FastifyInstance }

export type TestAppOptions = TestDispatchOptions &
  Partial<
    Pick<
      AppDeps,
      | 'envelopeOnly'
      | 'trustProxy'
      | 'webDist'
      | 'publicOrigin'
      | 'apiOrigin'
      | 'imageOrigins'
      | 'inlineHashes'
      | 'limits'
      | 'clock'
    >
  > & {
    health?: HealthChecks
  }

/** The whole HTTP side without a database: endpoints that the test does not bring answer 404. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { dispatch, clock, metrics, limits, callId } = createTestDispatch(options)
  const log = options.log ?? silentLog()
  const dispatchText: DispatchText = async (...call) => JSON.stringify(await dispatch(...call))
  const app = await createApp({
    dispatch: dispatchText,
    gateway: createGateway({
      dispatch: dispatchText,
      limits,
      handshakes: createUsedHandshakes(clock, options.redis),
      clock,
      onRefused: () => metrics.badEnvelope(),
      onUnchecked: () => metrics.uncheckedEnvelope(),
    }),
    readiness: readinessOf(options.health ?? {}, log),
    onFailure: ({ callId: id, error, path }) =>
      log.error({ event: 'http.request-failed', callId: id, err: error, path }, 'request failed'),
    envelopeOnly: options.envelopeOnly ?? false,
    clock: options.clock,
    trustProxy: options.trustProxy ?? false,
    webDist: options.webDist,
    publicOrigin: options.publicOrigin ?? 'http://127.0.0.1:8210',
    connectOrigins: ['http://127.0.0.1:8545'],
    apiOrigin: options.apiOrigin,
    imageOrigins: options.imageOrigins ?? [],
    inlineHashes: options.inlineHashes ?? { scripts: [], styles: [] },
    callId,
    addGauge: (gauge) => metrics.addGauge(gauge),
    ...(options.limits !== undefined && { limits: options.limits }),
  })
  return { app, dispatch, clock, metrics }
}

/** Listens on a port that the system chooses, and gives its number. */
export async function listen({ app }: TestApp): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}
