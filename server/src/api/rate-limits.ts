import type { Key } from '@candela/protocol/endpoints'
import { addressGroup } from '../kernel/address-group.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Redis } from '../redis/open-redis.ts'
import type { Allowance } from '../redis/token-bucket.ts'

/** Routes by their cost and by what an attacker gains: signing in, writing, reading. */
type RouteClass = 'auth' | 'write' | 'read'

const perAddress: Record<RouteClass, Allowance> = {
  auth: { burst: 60, perSecond: 1 },
  write: { burst: 120, perSecond: 10 },
  read: { burst: 300, perSecond: 30 },
}

const perMember: Record<RouteClass, Allowance> = {
  auth: { burst: 30, perSecond: 1 },
  write: { burst: 30, perSecond: 2 },
  read: { burst: 150, perSecond: 15 },
}

/** Each answers 0 when the call may go on, else the whole seconds to wait. */
export type RateLimits = {
  takeForAddress(key: Key, clientAddress: string): Promise<number>
  takeForMember(key: Key, memberId: bigint): Promise<number>
  /** Envelopes are counted before they are opened; their inner route is counted again by dispatch. */
  takeEnvelope(clientAddress: string): Promise<number>
}

export type RateLimitOptions = {
  /** Multiplies every allowance: 1 for people, more where one address carries a whole test run. */
  scale?: number
  maxKeys?: number
  /** Where the calls to all servers are counted; undefined where there is one server, or each counts for itself. */
  redis?: Redis | undefined
  /** Called for each call that this server alone had to decide about, because Redis did not answer. */
  onUnshared?: () => void
}

/** Every call is counted here, and with Redis once more for all servers: it goes on when neither is over the limit. */
export function createRateLimits(clock: Clock, options: RateLimitOptions = {}): RateLimits {
  const { scale = 1, maxKeys = 100_000, redis, onUnshared } = options
  const buckets = new Buckets(clock, maxKeys)
  const take = async (kind: string, who: string, { burst, perSecond }: Allowance): Promise<number> => {
    const allowance = { burst: burst * scale, perSecond: perSecond * scale }
    const key = `${kind} ${who}`
    const own_s = buckets.take(key, allowance)
    // A caller over the limit at one server is over that of all, so a flood costs no questions.
    if (own_s > 0 || redis === undefined) return own_s
    const shared_s = await redis.takeToken(key, allowance)
    if (shared_s === undefined) {
      onUnshared?.()
      return own_s
    }
    // A call that is refused takes nothing, as with one server.
    if (shared_s > 0) buckets.putBack(key, allowance)
    return shared_s
  }
  return {
    takeForAddress(key, clientAddress) {
      const routeClass = classOf(key)
      return take(`address ${routeClass}`, addressGroup(clientAddress), perAddress[routeClass])
    },
    takeForMember(key, memberId) {
      const routeClass = classOf(key)
      return take(`member ${routeClass}`, memberId.toString(), perMember[routeClass])
    },
    takeEnvelope: (clientAddress) => take('envelope', addressGroup(clientAddress), perAddress.read),
  }
}

function classOf(key: Key): RouteClass {
  if (key.includes(' auth/')) return 'auth'
  return key.startsWith('POST ') ? 'write' : 'read'
}

type Bucket = { tokens: number; at_ms: number; full_ms: number }

/**
 * Token buckets in bounded memory. A full bucket equals one that does not exist, so full ones are removed first; when
 * none is full, the least recently used one is removed.
 */
class Buckets {
  readonly #clock: Clock
  readonly #maxKeys: number
  // Insertion order is order of last use, because each use takes the key out and puts it back.
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: Clock, maxKeys: number) {
    this.#clock = clock
    this.#maxKeys = maxKeys
  }

  take(key: string, { burst, perSecond }: Allowance): number {
    const now_ms = this.#clock.now().getTime()
    const old = this.#buckets.get(key)
    const elapsed_s = old === undefined ? 0 : Math.max(0, now_ms - old.at_ms) / 1000
    const tokens = old === undefined ? burst : Math.min(burst, old.tokens + elapsed_s * perSecond)
    const left = tokens >= 1 ? tokens - 1 : tokens
    this.#buckets.delete(key)
    this.#makeRoom(now_ms)
    this.#buckets.set(key, { tokens: left, at_ms: now_ms, full_ms: now_ms + ((burst - left) / perSecond) * 1000 })
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond))
  }

  /** Puts back the token that was taken last. */
  putBack(key: string, { burst, perSecond }: Allowance): void {
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return
    bucket.tokens = Math.min(burst, bucket.tokens + 1)
    bucket.full_ms = bucket.at_ms + ((burst - bucket.tokens) / perSecond) * 1000
  }

  #makeRoom(now_ms: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.full_ms > now_ms && this.#buckets.size < this.#maxKeys) break
      this.#buckets.delete(key)
    }
  }
}
