import { codes } from '@candela/protocol/codes/codes'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import { type FakeClock, fakeClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { type Log, silentLog } from '../../kernel/log.ts'
import { createDispatch, type Dispatch } from '../dispatch.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { createRateLimits, type RateLimits } from '../rate-limits.ts'
import type { Redis } from '../../redis/open-redis.ts'

/** The one token that tests of the API are signed in with; sessions themselves are tested in their module. */
export const TEST_TOKEN = 'T'.repeat(43)

export type TestDispatch = {
  dispatch: Dispatch
  clock: FakeClock
  metrics: Metrics
  limits: RateLimits
  callId: () => string
}

export type TestDispatchOptions = {
  handlers?: Partial<Handlers<Key>>
  log?: Log
  rateLimitScale?: number
  clock?: FakeClock
  redis?: Redis
  isExited?: boolean
}

/** Dispatch without a database: endpoints that the test does not bring answer 404. */
export function createTestDispatch(options: TestDispatchOptions = {}): TestDispatch {
  const clock = options.clock ?? fakeClock('2026-03-01T12:00:00.000Z')
  const metrics = createMetrics({ processMetrics: false })
  const limits = createRateLimits(clock, {
    scale: options.rateLimitScale ?? 1,
    redis: options.redis,
    onUnshared: () => metrics.unsharedLimit(),
  })
  let calls = 0
  const callId = () => `call-${++calls}`
  const dispatch = createDispatch({
    handlers: withHandlers(options.handlers ?? {}),
    findSession: async (token) => (token === TEST_TOKEN ? { memberId: 7n, sessionId: 'session-7' } : null),
    isExited: () => Promise.resolve(options.isExited ?? false),
    limits,
    metrics: metrics.calls,
    clock,
    callId,
    log: options.log ?? silentLog(),
    checkData: true,
  })
  return { dispatch, clock, metrics, limits, callId }
}

const missing = () => Promise.reject(new AppError(codes.notFound))

function withHandlers(given: Partial<Handlers<Key>>): Handlers<Key> {
  const rest = Object.fromEntries(Object.keys(endpoints).map((key) => [key, missing]))
  return { ...rest, ...given } as Handlers<Key>
}
