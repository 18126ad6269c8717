import { ENVELOPE_WINDOW_MS } from '@candela/protocol/envelope/envelope'
import type { Clock } from '../../kernel/clock.ts'
import type { Redis } from '../../redis/open-redis.ts'
import { ReplayTable } from './replay-table.ts'

/** By how much the clocks of two servers may differ before an envelope could be accepted by both. */
const CLOCKS_DIFFER_MS = 30_000

export type UsedHandshakes = {
  /**
   * 'first' exactly once for each handshake with a timestamp inside the window. 'unknown' when nobody can tell: the
   * envelope must be refused then, or whoever silences Redis could repeat envelopes.
   */
  use(handshake: string, timestamp_ms: number): Promise<'first' | 'used' | 'unknown'>
}

/** The handshakes that this server was sent; with Redis those of all servers. */
export function createUsedHandshakes(clock: Clock, redis?: Redis): UsedHandshakes {
  const own = new ReplayTable(clock)
  return {
    async use(handshake, timestamp_ms) {
      // Asked first: it bounds how many one server adds to Redis, and knows its own when Redis has lost its memory.
      if (!own.use(handshake, timestamp_ms)) return 'used'
      if (redis === undefined) return 'first'
      const keep_ms = timestamp_ms + ENVELOPE_WINDOW_MS + CLOCKS_DIFFER_MS - clock.now().getTime()
      const isFirst = await redis.useOnce(`handshake ${handshake}`, keep_ms)
      if (isFirst === undefined) return 'unknown'
      return isFirst ? 'first' : 'used'
    },
  }
}
