import { ENVELOPE_WINDOW_MS } from '@candela/protocol/envelope/envelope'
import type { Clock } from '../../kernel/clock.ts'

const BUCKET_MS = 10_000

/**
 * How far a client's clock may be ahead and still count as "now". Timestamps further ahead get at most a quarter of the
 * table, so that many of them cannot push out the current ones.
 */
const AHEAD_MS = 15_000

/**
 * Remembers each handshake for as long as its envelope could be accepted again, in limited memory: about 65 bytes each,
 * 26 MB when full. When it is full, the oldest ten seconds are forgotten, and from then on every envelope with such a
 * timestamp is refused: the window gets shorter, but no envelope is accepted twice, and a client whose clock is right
 * is not affected.
 */
export class ReplayTable {
  readonly #clock: Clock
  readonly #capacity: number
  /** Handshakes by the ten seconds that their timestamp lies in, ascending by first use of the bucket. */
  readonly #buckets = new Map<number, Set<string>>()
  #size = 0
  /** Buckets before this one were forgotten: whatever is dated there is refused. */
  #floor = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, capacity = 400_000) {
    this.#clock = clock
    this.#capacity = capacity
  }

  get size(): number {
    return this.#size
  }

  /** True exactly once for each handshake with a timestamp inside the window; false means: refuse the envelope. */
  use(handshake: string, timestamp_ms: number): boolean {
    const now_ms = this.#clock.now().getTime()
    if (Math.abs(now_ms - timestamp_ms) > ENVELOPE_WINDOW_MS) return false
    this.#forgetBefore(bucketOf(now_ms - ENVELOPE_WINDOW_MS))
    const bucket = bucketOf(timestamp_ms)
    if (bucket < this.#floor || this.#has(handshake)) return false
    if (timestamp_ms > now_ms + AHEAD_MS && this.#countFrom(bucketOf(now_ms + AHEAD_MS)) >= this.#capacity / 4) {
      return false
    }
    if (this.#size >= this.#capacity) {
      const oldest = Math.min(...this.#buckets.keys())
      if (bucket <= oldest) return false
      this.#forgetBefore(oldest + 1)
    }
    this.#add(bucket, handshake)
    return true
  }

  #has(handshake: string): boolean {
    for (const handshakes of this.#buckets.values()) if (handshakes.has(handshake)) return true
    return false
  }

  #add(bucket: number, handshake: string): void {
    const handshakes = this.#buckets.get(bucket) ?? new Set()
    // A copy: the original is a part of the request's body, and would keep the whole body in memory.
    handshakes.add(copyOf(handshake))
    this.#buckets.set(bucket, handshakes)
    this.#size += 1
  }

  #countFrom(bucket: number): number {
    let count = 0
    for (const [number, handshakes] of this.#buckets) if (number >= bucket) count += handshakes.size
    return count
  }

  #forgetBefore(bucket: number): void {
    this.#floor = Math.max(this.#floor, bucket)
    for (const [number, handshakes] of this.#buckets) {
      if (number >= this.#floor) continue
      this.#size -= handshakes.size
      this.#buckets.delete(number)
    }
  }
}

/** The same text in memory of its own: V8 cuts a part out of a text by pointing into the whole. */
const copyOf = (text: string): string => Buffer.from(text).toString()

const bucketOf = (time_ms: number): number => Math.floor(time_ms / BUCKET_MS)
