import { codes } from '@candela/protocol/codes/codes'

/** The server answered with a code other than 200. `message` is its text in the language of the request. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Whether the server has said that nothing was done by the call that it answers. A fault of its own leaves that open. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code !== codes.ourFault

/**
 * No usable answer came. `connect`: the server was not reached. `timeout`: it took longer than the limit.
 * `repeated`: the same command is still under way. `abnormal`: status 300 without a body of ours. `insecure`: the page came without TLS,
 * so that the browser has no cryptography for it. `request`: the rest.
 */
export type TransportProblem = 'request' | 'repeated' | 'timeout' | 'connect' | 'abnormal' | 'insecure'

export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly problem: TransportProblem

  constructor(problem: TransportProblem, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.problem = problem
  }
}
