import { codeMessages } from '@candela/protocol/codes/code-messages'
import { codes } from '@candela/protocol/codes/codes'
import type { ErrorName, MessageParams } from '@candela/protocol/codes/codes'
import { endpoints } from '@candela/protocol/endpoints'
import type { Key } from '@candela/protocol/endpoints'
import type { Body } from '@candela/protocol/envelope/envelope'
import { fillMessage } from '@candela/protocol/codes/fill-message'
import { inputMessage, problemOf } from '@candela/protocol/codes/input-problems'
import type { Language } from '@candela/protocol/language'
import type { z } from 'zod'
import { type Clock, stopwatch } from '../kernel/clock.ts'
import { AppError, isAppError } from '../kernel/errors.ts'
import type { CallContext, Handlers, SessionContext } from '../kernel/handler.ts'
import { flatLog, type Log } from '../kernel/log.ts'
import type { CallMetrics } from './metrics.ts'
import type { RateLimits } from './rate-limit.ts'

/** What an adapter (plain route or gateway) knows about a call besides its key and input. */
export type Caller = {
  lang: Language
  /** Session token as sent; undefined when there was none. */
  token: string | undefined
  clientAddress: string
  userAgent: string
}

/** The one way into every endpoint. Never rejects: each failure becomes a body. */
export type Dispatch = (key: Key, rawInput: unknown, caller: Caller) => Promise<Body<unknown>>

/** The same for adapters, which pass the body on as it is: its JSON text. */
export type Ask = (key: Key, rawInput: unknown, caller: Caller) => Promise<string>

export type DispatchDeps = {
  handlers: Handlers<Key>
  /** The live session of a token, or null; prolongs it as a side effect. */
  findSession: (token: string, now: Date) => Promise<{ memberId: bigint; sessionId: string } | null>
  limits: RateLimits
  metrics: CallMetrics
  clock: Clock
  callId: () => string
  log: Log
  /** Check what handlers return against the table, as in development and tests; a mismatch is our fault (500). */
  checkData: boolean
}

const errorNames = new Map(
  Object.entries(codes).flatMap(([name, code]) => (name === 'ok' ? [] : [[code as number, name as ErrorName]])),
)

/**
 * Builds the body of a failure in the caller's language; codes that the table does not know become 500. With the
 * endpoint's `key` a refused field has the name that it has there.
 */
export function errorBody(code: number, params: MessageParams, lang: Language, key?: Key): Body<never> {
  const name = errorNames.get(code) ?? 'ourFault'
  const message =
    name === 'invalidInput' ? inputMessage(params, lang, key) : fillMessage(codeMessages[name][lang], params)
  return { code: codes[name], message, data: null }
}

/** The end of a call's id, which is random: short enough to be read out, and found in the log line as it stands. */
export const referenceOf = (callId: string): string => callId.slice(-12)

export function createDispatch(deps: DispatchDeps): Dispatch {
  const calls = flatLog(deps.log, 'call.answered')
  return async (key, rawInput, caller) => {
    const now = deps.clock.now()
    const callId = deps.callId()
    const elapsed_ms = stopwatch()
    const call: Call = { key, rawInput, caller, now, callId, memberId: undefined }
    let body: Body<unknown>
    let failure: unknown
    try {
      const data = await handle(deps, call)
      body = { code: codes.ok, message: codeMessages.ok[caller.lang], data }
    } catch (error) {
      failure = isAppError(error) && error.code !== codes.ourFault ? undefined : error
      body =
        failure === undefined && isAppError(error)
          ? errorBody(error.code, error.params, caller.lang, key)
          : errorBody(codes.ourFault, { reference: referenceOf(callId) }, caller.lang)
    }
    const duration_ms = elapsed_ms()
    deps.metrics.observe(key, body.code, duration_ms / 1000)
    const entry = describeCall(call, body.code, duration_ms)
    if (failure !== undefined) deps.log.error({ event: 'call.failed', ...entry, err: failure }, 'call failed')
    else calls.info(entry, 'call')
    return body
  }
}

type Call = {
  key: Key
  rawInput: unknown
  caller: Caller
  now: Date
  callId: string
  memberId: bigint | undefined
}

async function handle(deps: DispatchDeps, call: Call): Promise<unknown> {
  const { key, caller } = call
  // Counted before anything that costs: a flood of wrong tokens must not reach the database.
  refuseWhenOver(deps.limits.takeForAddress(key, caller.clientAddress))
  const row = endpoints[key]
  const context: CallContext = {
    lang: caller.lang,
    callId: call.callId,
    now: call.now,
    clientAddress: caller.clientAddress,
    userAgent: caller.userAgent,
  }
  const fullContext = row.auth === 'session' ? await withSession(deps, call, context) : context
  const input = parseInput(row.input, call.rawInput)
  // One place joins a key to its handler; that they belong together is what the type `Handlers` says.
  const handler = deps.handlers[key] as (input: unknown, context: CallContext) => Promise<unknown>
  const data = await handler(input, fullContext)
  if (deps.checkData) row.data.parse(data)
  return data
}

async function withSession(deps: DispatchDeps, call: Call, context: CallContext): Promise<SessionContext> {
  const { token } = call.caller
  const session = token === undefined ? null : await deps.findSession(token, call.now)
  if (session === null) throw new AppError(codes.noSession)
  call.memberId = session.memberId
  refuseWhenOver(deps.limits.takeForMember(call.key, session.memberId))
  return { ...context, memberId: session.memberId, sessionId: session.sessionId }
}

function refuseWhenOver(wait_s: number): void {
  if (wait_s > 0) throw new AppError(codes.slowDown, { seconds: wait_s })
}

function parseInput(schema: z.ZodObject, rawInput: unknown): unknown {
  const parsed = schema.safeParse(rawInput)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = String(issue?.path[0] ?? 'input')
  const sent = (rawInput as Record<string, unknown> | null)?.[field]
  const reason = issue && problemOf(issue, sent)
  throw new AppError(codes.invalidInput, { field, ...(reason !== undefined && { reason }) })
}

function describeCall(call: Call, code: number, duration_ms: number) {
  return {
    callId: call.callId,
    route: call.key,
    code,
    durationMs: Math.round(duration_ms * 10) / 10,
    clientAddress: call.caller.clientAddress,
    memberId: call.memberId?.toString(),
  }
}
