import { isLimit, RpcError } from '../ask.ts'

export type RpcCall = { method: string; params?: unknown }
export type NumberedCall = RpcCall & { id: number }

/** The node's answer to one call. */
export type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** The answers to one HTTP request: in the order of its calls, or that the node refuses so many calls in one request, in its words. */
export type Answers = { answers: Answer[] } | { tooMany: string }

/**
 * Matches answers with calls by their ids. Nothing else in the server does.
 * @throws RpcError for anything but exactly one answer to each call
 */
export function readAnswers(calls: readonly NumberedCall[], status: number, body: string): Answers {
  const parsed = parseBody(status, body)
  const isBatch = calls.length > 1
  const refusal = refusalOf(parsed, calls.length)
  if (refusal !== null) {
    const { code, words } = refusal
    if (isBatch && (isAboutBatch(words) || !isLimit(code, words)) && mayBeAboutBatch(status)) return { tooMany: words }
    throw refused(status, code, words)
  }
  if (status < 200 || status > 299) {
    if (isBatch && isStatusOfBatch(status)) return { tooMany: `HTTP ${status}` }
    throw new RpcError(status === 429 ? 'limited' : 'unreachable', `HTTP ${status}`)
  }
  if (isBatch !== Array.isArray(parsed))
    throw badAnswer(isBatch ? 'one answer to several calls' : 'a list as one answer')
  return matched(calls, Array.isArray(parsed) ? parsed : [parsed])
}

const badAnswer = (what: string): RpcError => new RpcError('badAnswer', `the node gave ${what}`)

const quoted = (text: string): string => JSON.stringify(text.trim().slice(0, 80))

function refused(status: number, code: number | null, words: string): RpcError {
  const isLimited = status === 429 || isLimit(code, words)
  return new RpcError(isLimited ? 'limited' : 'refused', words, code === null ? {} : { code })
}

/**
 * Parses a body. The error for one that is no JSON says what it is, for the person who has to find out what stands between us and the
 * node.
 */
function parseBody(status: number, body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    if (status < 200 || status > 299) return undefined
    const text = body.trim()
    if (text === '') throw badAnswer(`an empty answer (HTTP ${status})`)
    if (text.startsWith('<')) throw badAnswer('a web page (HTML) instead of an answer')
    if (/^[[{]/.test(text)) throw badAnswer(`an answer that is cut off or is no JSON, after ${body.length} characters`)
    // A proxy says in plain words that it refuses.
    if (isLimit(null, text)) throw refused(status, null, `the node says ${quoted(text)}`)
    throw badAnswer(`plain text instead of an answer: ${quoted(text)}`)
  }
}

type Refusal = { code: number | null; words: string }

/**
 * The error with which a node refuses a whole request: as an object; as a list with nothing but errors in it, and fewer of
 * them than calls; or in a form of its own such as `{"error":"quota"}`. Null for everything else.
 */
function refusalOf(parsed: unknown, calls: number): Refusal | null {
  if (Array.isArray(parsed)) {
    const errors = parsed.map(errorOf)
    const isWhole = errors.length > 0 && errors.length < calls && errors.every((error) => error !== null)
    return isWhole ? (errors[0] ?? null) : null
  }
  const error = errorOf(parsed)
  // The error of a single call that names its call is its answer.
  return error !== null && (calls > 1 || error.code === null || !hasId(parsed)) ? error : null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasId = (value: unknown): boolean => isObject(value) && typeof value['id'] === 'number'

function errorOf(value: unknown): Refusal | null {
  if (!isObject(value) || (value['result'] !== undefined && value['result'] !== null)) return null
  const { error } = value
  if (typeof error === 'string') return { code: null, words: `the node says ${quoted(error)}` }
  if (!isObject(error) || typeof error['message'] !== 'string') return null
  return { code: typeof error['code'] === 'number' ? error['code'] : null, words: error['message'] }
}

const isAboutBatch = (words: string): boolean => /batch|response.{0,12}too (?:large|big)/i.test(words)
/** An error of these comes from the node or a proxy before it and says nothing about the number of calls. */
const mayBeAboutBatch = (status: number): boolean => status < 500 && status !== 401 && status !== 403 && status !== 429
const isStatusOfBatch = (status: number): boolean => [400, 404, 405, 413, 415, 422].includes(status)

function matched(calls: readonly NumberedCall[], found: readonly unknown[]): Answers {
  const open = new Map(calls.map(({ id }, index) => [id, index]))
  const answers: Answer[] = []
  for (const value of found) {
    if (!isObject(value)) throw badAnswer('something that is no answer')
    const { id } = value
    const index = typeof id === 'number' ? open.get(id) : undefined
    if (index === undefined) {
      const isAgain = calls.some((call) => call.id === id)
      throw badAnswer(isAgain ? 'two answers to one call' : 'an answer to a call that was not made')
    }
    open.delete(id as number)
    const answer = readAnswer(value)
    if (calls.length > 1 && 'error' in answer && isAboutBatch(answer.error.message))
      return { tooMany: answer.error.message }
    answers[index] = answer
  }
  const [missing] = open.values()
  if (missing !== undefined)
    throw badAnswer(`no answer to ${calls[missing]?.method} among those to ${calls.length} calls`)
  return { answers }
}

function readAnswer({ result, error }: Record<string, unknown>): Answer {
  const isError = error !== undefined && error !== null
  if (!isError) {
    if (result === undefined) throw badAnswer('an answer with neither a result nor an error')
    return { result }
  }
  if (result !== undefined && result !== null) throw badAnswer('an answer with both a result and an error')
  if (!isObject(error) || typeof error['code'] !== 'number' || typeof error['message'] !== 'string') {
    throw badAnswer('an error without a code and a message')
  }
  const { code, message, data } = error
  return { error: { code, message, ...(data === undefined ? {} : { data }) } }
}
