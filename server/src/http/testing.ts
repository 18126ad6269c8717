import type { Key } from '@candela/protocol/endpoints'
import { endpoints } from '@candela/protocol/endpoints'
import type { FastifyInstance } from 'fastify'
import { codes } from '@candela/protocol/codes/codes'
import { AppError } from '../kernel/errors.ts'
import { type FakeClock, fakeClock } from '../kernel/clock.ts'
import type { Handlers } from '../kernel/handler.ts'
import { type Log, silentLog } from '../kernel/log.ts'
import { type AppDeps, createApp } from './app.ts'
import { type Ask, createDispatch, type Dispatch } from './dispatch.ts'
import { createGateway } from './gateway.ts'
import { type HealthChecks, readinessOf } from './health.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createRateLimits } from './rate-limit.ts'
import { ReplayTable } from './replay-table.ts'

/** The one token that tests of the HTTP side are signed in with; sessions themselves are tested in their module. */
export const TEST_TOKEN = 'T'.repeat(43)

export type TestApp = { app: FastifyInstance; dispatch: Dispatch; clock: FakeClock; metrics: Metrics }

export type TestAppOptions = Partial<
  Pick<AppDeps, 'envelopeOnly' | 'trustProxy' | 'webDist' | 'publicOrigin' | 'limits'>
> & {
  handlers?: Partial<Handlers<Key>>
  health?: HealthChecks
  log?: Log
  rateLimitScale?: number
}

/** The whole HTTP side without a database: endpoints that the test does not bring answer 404. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = fakeClock('2026-03-01T12:00:00.000Z')
  const log = options.log ?? silentLog()
  const metrics = createMetrics({ processMetrics: false })
  const limits = createRateLimits(clock, { scale: options.rateLimitScale ?? 1 })
  let calls = 0
  const callId = () => `call-${++calls}`
  const dispatch = createDispatch({
    handlers: withHandlers(options.handlers ?? {}),
    findSession: async (token) => (token === TEST_TOKEN ? { memberId: 7n, sessionId: 'session-7' } : null),
    limits,
    metrics: metrics.calls,
    clock,
    callId,
    log,
    checkData: true,
  })
  const ask: Ask = async (...call) => JSON.stringify(await dispatch(...call))
  const app = await createApp({
    ask,
    gateway: createGateway({
      ask,
      limits,
      replays: new ReplayTable(clock),
      clock,
      onRefused: () => metrics.badEnvelope(),
    }),
    readiness: readinessOf(options.health ?? {}, log),
    onFailure: ({ callId: id, error, path }) =>
      log.error({ event: 'http.request-failed', callId: id, err: error, path }, 'request failed'),
    envelopeOnly: options.envelopeOnly ?? false,
    trustProxy: options.trustProxy ?? false,
    webDist: options.webDist,
    publicOrigin: options.publicOrigin ?? 'http://127.0.0.1:8210',
    connectOrigins: ['http://127.0.0.1:8545'],
    callId,
    addGauge: (gauge) => metrics.addGauge(gauge),
    ...(options.limits !== undefined && { limits: options.limits }),
  })
  return { app, dispatch, clock, metrics }
}

const missing = () => Promise.reject(new AppError(codes.notFound))

function withHandlers(given: Partial<Handlers<Key>>): Handlers<Key> {
  const rest = Object.fromEntries(Object.keys(endpoints).map((key) => [key, missing]))
  return { ...rest, ...given } as Handlers<Key>
}
