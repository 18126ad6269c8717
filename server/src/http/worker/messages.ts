import type { Key } from '@candela/protocol/endpoints'
import type { Caller } from '../../api/dispatch.ts'
import type { Readiness } from '../../api/health.ts'
import type { InlineHashes } from '../headers/security-headers.ts'

/** The settings that the HTTP worker is started with: no keys, and no connection to the database or the chain. */
export type HttpWorkerSettings = {
  host: string
  port: number
  rateLimitScale: number
  envelopeOnly: boolean
  trustProxy: false | string[]
  webDist: string | undefined
  publicOrigin: string
  connectOrigins: string[]
  apiOrigin: string | undefined
  imageOrigins: string[]
  inlineHashes: InlineHashes
  clockOffsetFile: string | undefined
  /** The address of what all servers share; it may hold a password. Undefined for a server by itself. */
  redisUrl: string | undefined
}

export type Call = { id: number; key: Key; input: unknown; caller: Caller }
/** `text` is the body as JSON. */
export type Answer = { id: number; text: string }

/** Why it does not listen. An error itself would lose its code on the way between threads. */
export type ListenFailure = { message: string; code: string | undefined; port: number }

/** These events are only counted. */
export type Counted = 'refused envelope' | 'unchecked envelope' | 'unshared limit'

export type FromWorker =
  /** The calls of one turn of the event loop. */
  | { kind: 'work'; items: (Call | Counted)[] }
  | { kind: 'listening'; port: number; gauges: { name: string; help: string }[] }
  | { kind: 'listen failed'; failure: ListenFailure }
  | { kind: 'failure'; callId: string; error: unknown; path: string | undefined }
  | { kind: 'readiness request' }
  /** Redis answers this thread (null), or why it does not any more. */
  | { kind: 'redis'; reason: string | null }
  | { kind: 'figures'; figures: Record<string, number> }

export type ToWorker =
  | { kind: 'listen' }
  | { kind: 'answers'; answers: Answer[] }
  | { kind: 'readiness'; readiness: Readiness }
  | { kind: 'figures request' }
  /** From now on no connection is kept after its answer. */
  | { kind: 'drain' }
  | { kind: 'stop' }

/** Sends the items of one turn of the event loop together, because a message costs more than its content. */
export function batchedSender<Item>(send: (items: Item[]) => void): (item: Item) => void {
  let items: Item[] = []
  const flush = (): void => {
    const all = items
    items = []
    send(all)
  }
  return (item) => {
    if (items.push(item) === 1) setImmediate(flush)
  }
}
