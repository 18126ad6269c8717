import type { Metrics } from '../api/metrics.ts'
import type { Log } from '../kernel/log.ts'
import type { Config } from './config.ts'

/** Takes null when Redis answers, and the reason when it does not any more. */
type Report = (reason: string | null) => void

/** Logs each change of what the two connections to Redis answer, and counts those without an answer. */
export function redisReport({ redisUrl }: Config, metrics: Metrics, log: Log): { ofCalls: Report; ofHttp: Report } {
  const silent = new Set<string>()
  if (redisUrl !== undefined) {
    metrics.addGauge({
      name: 'candela_redis_unreachable',
      help: 'Connections of this server to Redis, of two, on which nothing is answered.',
      read: () => silent.size,
    })
  }
  const reportOf = (connection: 'calls' | 'http') => (reason: string | null) => {
    if (reason === null) {
      silent.delete(connection)
      return log.info({ event: 'redis.reached', connection }, 'Redis answers')
    }
    silent.add(connection)
    log.warn({ event: 'redis.not-reached', connection, reason }, 'Redis does not answer')
  }
  return { ofCalls: reportOf('calls'), ofHttp: reportOf('http') }
}
