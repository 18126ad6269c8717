import type { Key } from '@candela/protocol/endpoints'
import type { Caller } from '../../api/dispatch.ts'
import type { Readiness } from '../../api/health.ts'

/** What the HTTP thread is started with: nothing that is secret, and no way to the database or the chain. */
export type ThreadSettings = {
  host: string
  port: number
  rateLimitScale: number
  envelopeOnly: boolean
  trustProxy: false | string[]
  webDist: string | undefined
  publicOrigin: string
  connectOrigins: string[]
}

export type Call = { id: number; key: Key; input: unknown; caller: Caller }
/** `text` is the body as JSON. */
export type Answer = { id: number; text: string }

/** Why it does not listen, with what an error loses when it is sent from thread to thread. */
export type ListenFailure = { message: string; code: string | undefined; port: number }

export type FromThread =
  /** What came in since the last look at the sockets. */
  | { kind: 'work'; items: (Call | 'refused envelope')[] }
  | { kind: 'listening'; port: number; gauges: { name: string; help: string }[] }
  | { kind: 'not listening'; failure: ListenFailure }
  | { kind: 'failure'; callId: string; error: unknown; path: string | undefined }
  | { kind: 'readiness wanted' }
  | { kind: 'figures'; figures: Record<string, number> }

export type ToThread =
  | { kind: 'listen' }
  | { kind: 'answers'; answers: Answer[] }
  | { kind: 'readiness'; readiness: Readiness }
  | { kind: 'figures wanted' }
  | { kind: 'stop' }

/** Sends together what is to be sent before the next look at the sockets: a message costs more than what is in it. */
export function outbox<Item>(send: (items: Item[]) => void): (item: Item) => void {
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
