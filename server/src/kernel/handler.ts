import type { Data, Endpoints, HandlerInput, Key } from '@candela/protocol/endpoints'
import type { Language } from '@candela/protocol/language'

/**
 * The types that a module's handlers are written with. They are here and not in `http/`, because modules may not
 * import what serves them.
 */

/** The facts about a call that every handler is told besides its input. */
export type CallContext = {
  /** The language of the texts that the caller wants to read. */
  lang: Language
  /** Names this call in the log; not the client-made `requestId` of money commands, which is part of the input. */
  callId: string
  /** When the call arrived. Use it for everything the call writes, so that its rows agree. */
  now: Date
  /** IP address of the client, for limits and logs only. */
  clientAddress: string
  userAgent: string
}

/** As `CallContext`, for endpoints with `auth: 'session'`: dispatch has found a live session already. */
export type SessionContext = CallContext & {
  /** `member.id`. */
  memberId: bigint
  /** `session.id`, a UUID. */
  sessionId: string
  /**
   * Where the log of the primary ended, in bytes, after the call had come: everything that this session or anybody else was
   * shown before was logged before it. Undefined when it is not known.
   */
  walPosition?: bigint | undefined
}

export type ContextOf<K extends Key> = Endpoints[K]['auth'] extends 'session' ? SessionContext : CallContext

/** Takes parsed input and returns what `data` holds; throws an `AppError` for every other code. */
export type Handler<K extends Key> = (input: HandlerInput<K>, context: ContextOf<K>) => Promise<Data<K>>

/** A module exports `xxxHandlers(deps): Handlers<'GET user/info' | …>`; `main` spreads them into `Handlers<Key>`. */
export type Handlers<K extends Key> = { [P in K]: Handler<P> }
