import { codes } from '@candela/protocol/codes/codes'
import type { Body } from '@candela/protocol/envelope/envelope'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, referenceOf } from '../api/error-body.ts'
import { JSON_TYPE } from './headers/security-headers.ts'
import { RETRY_AFTER_S } from './limits/admission.ts'
import { notAccepted } from './refusal.ts'
import { requestLanguage } from './request/request-language.ts'

/** The parts that report a failure outside of a call, which dispatch does not log. */
export type FailureDeps = {
  /** The id of the failure, for the log and for the person who is answered. */
  callId: () => string
  onFailure: (failure: { callId: string; error: unknown; path: string | undefined }) => void
}

/** A request that is refused with this status. */
export class Refused extends Error {
  readonly statusCode: number

  constructor(statusCode: number) {
    super(`refused with ${statusCode}`)
    this.statusCode = statusCode
  }
}

export function answer(reply: FastifyReply, status: number, body: Body<unknown>): FastifyReply {
  return reply.code(status).type(JSON_TYPE).send(body)
}

/** Answers failures outside of dispatch: requests that fastify itself refuses, and our own errors in the adapters. */
export function answerError(
  { callId, onFailure }: FailureDeps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = statusOf(error)
  const lang = requestLanguage(request.headers)
  if (status === 413) return answer(reply, 413, errorBody(codes.tooLarge, {}, lang))
  if (status >= 400 && status < 500) return answer(reply, status, notAccepted(lang))
  if (error instanceof Refused) {
    reply.header('retry-after', String(RETRY_AFTER_S))
    return answer(reply, status, errorBody(codes.slowDown, { seconds: RETRY_AFTER_S }, lang))
  }
  const id = callId()
  onFailure({ callId: id, error, path: request.routeOptions.url })
  return answer(reply, 500, errorBody(codes.ourFault, { reference: referenceOf(id) }, lang))
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500
  return typeof error.statusCode === 'number' ? error.statusCode : 500
}
