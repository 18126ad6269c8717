import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Key } from '@candela/protocol/endpoints'
import type { GaugeSource } from '../kernel/gauge.ts'

/** The figures that dispatch reports of each call. */
export type CallMetrics = {
  observe(key: Key, code: number, duration_s: number): void
}

export type Metrics = {
  calls: CallMetrics
  badEnvelope(): void
  /** An envelope was refused because Redis did not say whether its handshake was used. */
  uncheckedEnvelope(): void
  /** A call was counted by this server alone, because Redis did not answer. */
  unsharedLimit(): void
  /** A read that a standby may answer was answered. */
  standbyRead(from: 'standby' | 'primary'): void
  addGauge(source: GaugeSource): void
  /** Prometheus text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** Each has a registry of its own, because tests run several servers in one process. */
export function createMetrics(options: { processMetrics: boolean }): Metrics {
  const registry = new Registry()
  if (options.processMetrics) collectDefaultMetrics({ register: registry, prefix: 'candela_' })
  const duration = new Histogram({
    name: 'candela_call_seconds',
    help: 'Duration of calls by route and code of the body.',
    labelNames: ['route', 'code'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const badEnvelopes = new Counter({
    name: 'candela_bad_envelopes_total',
    help: 'Envelopes refused, whatever the reason.',
    registers: [registry],
  })
  const uncheckedEnvelopes = new Counter({
    name: 'candela_unchecked_envelopes_total',
    help: 'Envelopes refused because Redis did not say whether they were used.',
    registers: [registry],
  })
  const unsharedLimits = new Counter({
    name: 'candela_unshared_limits_total',
    help: 'Checks of a rate limit that this server decided alone because Redis did not answer.',
    registers: [registry],
  })
  const standbyReads = new Counter({
    name: 'candela_standby_reads_total',
    help: 'Reads that a standby may answer, by what has answered them.',
    labelNames: ['from'] as const,
    registers: [registry],
  })
  return {
    calls: { observe: (route, code, duration_s) => duration.observe({ route, code }, duration_s) },
    badEnvelope: () => badEnvelopes.inc(),
    uncheckedEnvelope: () => uncheckedEnvelopes.inc(),
    unsharedLimit: () => unsharedLimits.inc(),
    standbyRead: (from) => standbyReads.inc({ from }),
    addGauge({ name, help, read }) {
      registry.registerMetric(
        new Gauge({
          name,
          help,
          registers: [],
          async collect() {
            this.set(await read())
          },
        }),
      )
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
