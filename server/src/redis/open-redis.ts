import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClientOfflineError, createClient } from '@redis/client'
import { stopwatch, NoAnswer, within } from '../kernel/clock.ts'
import { reasonOf } from '../kernel/errors.ts'
import { type Allowance, takeToken } from './token-bucket.ts'

/** The state that several servers share. Both questions answer undefined when Redis does not answer in time; they never reject. */
export type Redis = {
  /** Connects, and goes on trying for as long as it is open. Resolves after the first attempt, also when that failed. */
  connect(): Promise<void>
  /** Takes a token of the named bucket: 0, or the whole seconds to wait. */
  takeToken(bucket: string, allowance: Allowance): Promise<number | undefined>
  /** True for the first of all servers that uses this name within `keep_ms`. */
  useOnce(name: string, keep_ms: number): Promise<boolean | undefined>
  close(): void
}

export type RedisOptions = {
  url: string
  /** Called with null when Redis answers, and with the reason when it does not any more: once for each change. */
  onChange: (reason: string | null) => void
  /** How long an answer is waited for; tests of what Redis answers wait longer. */
  limits?: RedisLimits
}

/** In milliseconds; the first is the shorter one. */
export type RedisLimits = {
  /** For a token: without an answer the call goes on. */
  token_ms: number
  /** For a name that is used once: without an answer the call is refused. */
  once_ms: number
}

export const redisLimits: RedisLimits = { token_ms: 50, once_ms: 250 }

/** A connection on which nothing comes for so long is replaced; a question each `ASK_EVERY_MS` shows that it works. */
const SILENT_MS = 2_000
const ASK_EVERY_MS = 500
const CONNECT_LIMIT_MS = 1_000
const PAUSE_MS = 100

const PREFIX = 'candela:'

/** Keys are short, and hold no address and no account: their names are hashed. */
const keyOf = (kind: string, name: string): string =>
  `${PREFIX}${kind}:${createHash('sha256').update(name).digest('base64url').slice(0, 22)}`

/** A connection to Redis. Nothing is connected before `connect`. */
export function openRedis({ url, onChange, limits = redisLimits }: RedisOptions): Redis {
  const { token_ms, once_ms } = limits
  const client = createClient({
    url,
    scripts: { takeToken },
    // Questions that come while there is no connection fail at once, instead of waiting in memory.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: ASK_EVERY_MS,
    socket: { connectTimeout: CONNECT_LIMIT_MS, socketTimeout: SILENT_MS, reconnectStrategy: () => PAUSE_MS },
  })
  /** The limit that Redis keeps now: a caller whose own limit is shorter does not ask. */
  let answersWithin_ms = Number.POSITIVE_INFINITY
  let reported: 'nothing' | 'answers' | 'silent' = 'nothing'
  let isProbing = false
  const closed = new AbortController()
  /** Why there is no connection. */
  let lastError: unknown
  client.on('error', (error: unknown) => {
    lastError = error
    slower(Number.POSITIVE_INFINITY, error)
  })

  function set(within_ms: number, reason: string): void {
    answersWithin_ms = within_ms
    const state = within_ms === token_ms ? 'answers' : 'silent'
    if (closed.signal.aborted || state === reported) return
    reported = state
    onChange(state === 'answers' ? null : reason)
  }

  function slower(within_ms: number, error: unknown): void {
    // Before the first attempt has ended it is not known whether Redis answers.
    if (reported === 'nothing') return
    if (within_ms > answersWithin_ms) set(within_ms, reasonOf(error))
    if (!isProbing) void probeUntilItAnswers()
  }

  /** Asks when nobody else does, until an answer comes within the shorter limit. */
  async function probeUntilItAnswers(): Promise<void> {
    isProbing = true
    while (!closed.signal.aborted && answersWithin_ms !== token_ms) {
      const { within_ms, reason } = await probe()
      set(within_ms, reason)
      if (within_ms !== token_ms) await sleep(PAUSE_MS, undefined, { ref: false })
    }
    isProbing = false
  }

  /** Writes, because a Redis whose memory is full, or a replica, reads as if nothing were wrong. */
  async function probe(): Promise<Probed> {
    const elapsed_ms = stopwatch()
    try {
      await client.set(`${PREFIX}probe`, '', { expiration: { type: 'PX', value: SILENT_MS } })
    } catch (error) {
      return failedProbe(isOffline(error) ? lastError : error)
    }
    const duration_ms = elapsed_ms()
    const within_ms = [token_ms, once_ms].find((limit_ms) => duration_ms <= limit_ms) ?? Number.POSITIVE_INFINITY
    return { within_ms, reason: `answered after ${Math.round(duration_ms)} ms` }
  }

  async function ask<T>(limit_ms: number, question: () => Promise<T>): Promise<T | undefined> {
    if (answersWithin_ms > limit_ms) return undefined
    try {
      return await within(limit_ms, question())
    } catch (error) {
      slower(error instanceof NoAnswer && limit_ms < once_ms ? once_ms : Number.POSITIVE_INFINITY, error)
      return undefined
    }
  }

  return {
    async connect() {
      const failure = new Promise((resolve) => client.once('error', resolve))
      const connected = client.connect().catch(() => undefined)
      await Promise.race([connected, failure, sleep(CONNECT_LIMIT_MS, undefined, { ref: false })])
      const { within_ms, reason } = await within(CONNECT_LIMIT_MS, probe()).catch(failedProbe)
      set(within_ms, reason)
      if (within_ms !== token_ms) void probeUntilItAnswers()
    },
    takeToken: (bucket, allowance) => ask(token_ms, () => client.takeToken(keyOf('limit', bucket), allowance)),
    useOnce: (name, keep_ms) =>
      ask(once_ms, async () => {
        const expiration = { type: 'PX', value: Math.ceil(keep_ms) } as const
        return (await client.set(keyOf('once', name), '', { condition: 'NX', expiration })) === 'OK'
      }),
    close() {
      closed.abort()
      client.destroy()
    },
  }
}

/** The limit that a probe kept, and what to say when it is not the shorter one. */
type Probed = { within_ms: number; reason: string }

const failedProbe = (error: unknown): Probed => ({ within_ms: Number.POSITIVE_INFINITY, reason: reasonOf(error) })

/** Whether a question was not sent, for want of a connection. */
const isOffline = (error: unknown): boolean => error instanceof ClientOfflineError
