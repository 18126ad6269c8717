import { isIPv6 } from 'node:net'
import type { Key } from '@candela/protocol/endpoints'
import type { Clock } from '../kernel/clock.ts'

/** How many calls at once, and how many a second after that. */
type Allowance = { burst: number; perSecond: number }

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
  takeForAddress(key: Key, clientAddress: string): number
  takeForMember(key: Key, memberId: bigint): number
  /** Envelopes are counted before they are opened; their inner route is counted again by dispatch. */
  takeEnvelope(clientAddress: string): number
}

/** `scale` multiplies every allowance: 1 for people, more where one address carries a whole test run. */
export function createRateLimits(clock: Clock, options: { scale?: number; maxKeys?: number } = {}): RateLimits {
  const scale = options.scale ?? 1
  const buckets = new Buckets(clock, options.maxKeys ?? 100_000)
  const take = (kind: string, who: string, allowance: Allowance) =>
    buckets.take(`${kind} ${who}`, { burst: allowance.burst * scale, perSecond: allowance.perSecond * scale })
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

/** One customer usually has a whole IPv6 /64 and could use a new address for each call. */
export function addressGroup(clientAddress: string): string {
  if (!isIPv6(clientAddress)) return clientAddress
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(clientAddress)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail] = clientAddress.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
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

  #makeRoom(now_ms: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.full_ms > now_ms && this.#buckets.size < this.#maxKeys) break
      this.#buckets.delete(key)
    }
  }
}
