import { setTimeout as sleep } from 'node:timers/promises'
import { stopwatch } from '../kernel/clock.ts'
import { reasonOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

/** The state of one part: whether it can do its work, and figures for the operator. */
export type PartHealth = { ok: boolean } & Record<string, string | number | boolean | null>

export type HealthChecks = Record<string, () => Promise<PartHealth>>

export type Readiness = { ready: boolean; parts: Record<string, PartHealth> }

/** In production a proxy waits for the answer. Elsewhere the machine may emulate another processor, and nothing waits. */
export const CHECK_LIMIT_MS = { production: 3_000, development: 60_000 } as const

/** How long an answer is used again: the route is public, and each check is work for the database. */
const KEPT_MS = 1_000

/** The readiness of all parts, checked at most once a second for all requests together. */
export function readinessOf(
  checks: HealthChecks,
  log: Log,
  limit_ms: number = CHECK_LIMIT_MS.production,
): () => Promise<Readiness> {
  let last: Promise<Readiness> | undefined
  return () => {
    last ??= readiness(checks, log, limit_ms).finally(() => {
      setTimeout(() => (last = undefined), KEPT_MS).unref()
    })
    return last
  }
}

/**
 * Checks every part at the same time. A part that fails or takes longer than the limit is not ready. The reason is
 * logged and not answered, because the route is public.
 */
async function readiness(checks: HealthChecks, log: Log, limit_ms: number): Promise<Readiness> {
  const parts = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await withinLimit(name, check, log, limit_ms)] as const),
  )
  return { ready: parts.every(([, part]) => part.ok), parts: Object.fromEntries(parts) }
}

async function withinLimit(
  name: string,
  check: () => Promise<PartHealth>,
  log: Log,
  limit_ms: number,
): Promise<PartHealth> {
  const done = new AbortController()
  const elapsed_ms = stopwatch()
  try {
    return await Promise.race([
      check(),
      sleep(limit_ms, undefined, { signal: done.signal }).then(() => {
        throw new Error(`no answer within ${limit_ms} ms`)
      }),
    ])
  } catch (error) {
    const facts = { part: name, durationMs: Math.round(elapsed_ms()), reason: reasonOf(error) }
    log.warn({ event: 'health.check-failed', ...facts }, 'health check failed')
    return { ok: false }
  } finally {
    done.abort()
  }
}
