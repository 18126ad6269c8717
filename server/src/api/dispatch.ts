import { apiTexts } from '@candela/protocol/texts/api-texts'
import { codes } from '@candela/protocol/codes/codes'
import { endpoints, type Key } from '@candela/protocol/endpoints'
import type { Body } from '@candela/protocol/envelope/envelope'
import { problemOf } from '@candela/protocol/codes/input-problems'
import type { Language } from '@candela/protocol/language'
import type { z } from 'zod'
import { type Clock, stopwatch } from '../kernel/clock.ts'
import { AppError, isAppError } from '../kernel/errors.ts'
import type { CallContext, Handlers, SessionContext } from '../kernel/handler.ts'
import { flatLog, type Log } from '../kernel/log.ts'
import { errorBody, referenceOf } from './error-body.ts'
import type { CallMetrics } from './metrics.ts'
import { isMoneyCommand } from './money-command.ts'
import type { RateLimits } from './rate-limits.ts'

/** The facts that an adapter (plain route or gateway) knows about a call besides its key and input. */
export type Caller = {
  lang: Language
  /** Session token as sent; undefined when there was none. */
  token: string | undefined
  clientAddress: string
  userAgent: string
}

/** The one way into every endpoint. Never rejects: each failure becomes a body. */
export type Dispatch = (key: Key, rawInput: unknown, caller: Caller) => Promise<Body<unknown>>

/** The same with the body as JSON text, which the adapters pass on unchanged. */
export type DispatchText = (key: Key, rawInput: unknown, caller: Caller) => Promise<string>

type Found = Pick<SessionContext, 'memberId' | 'sessionId' | 'walPosition'>

export type DispatchDeps = {
  handlers: Handlers<Key>
  /** The live session of a token, or null; prolongs it as a side effect. */
  findSession: (token: string, now: Date) => Promise<Found | null>
  /** Whether the contract is in exit mode: then no money command is done. */
  isExited: () => Promise<boolean>
  limits: RateLimits
  metrics: CallMetrics
  clock: Clock
  callId: () => string
  log: Log
  /** Check what handlers return against the table, as in development and tests; a mismatch is our fault (500). */
  checkData: boolean
}

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
      body = { code: codes.ok, message: apiTexts[caller.lang].codes.ok, data }
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
  // Counted first, so that a flood of wrong tokens does not reach the database.
  refuseWhenOver(await deps.limits.takeForAddress(key, caller.clientAddress))
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
  if (isMoneyCommand(key) && (await deps.isExited())) throw new AppError(codes.exitMode)
  // The type `Handlers` guarantees that handler and key belong together, but is lost by the index.
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
  refuseWhenOver(await deps.limits.takeForMember(call.key, session.memberId))
  const { memberId, sessionId, walPosition } = session
  return { ...context, memberId, sessionId, walPosition }
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
