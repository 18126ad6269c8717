import pLimit from 'p-limit'
import { RpcRequestError } from 'viem'
import { isLimit, RpcError } from '../ask.ts'
import { checkResult } from './check-result.ts'
import { learnedLimit } from './learned-limit.ts'
import { createThrottle } from './throttle.ts'
import { type Answer, type Answers, type NumberedCall, readAnswers, type RpcCall } from './read-answers.ts'

/** The most that a node is asked for, where the operator knows it. What is not set is learned from its refusals. */
export type NodeLimits = {
  /** Calls in one request; 1 for a node that takes no batches. */
  batch?: number | undefined
  /** Calls a second. */
  perSecond?: number | undefined
}

export type SendOptions = {
  url: string
  /** Every answer must come from a node of this chain. */
  chainId: number
  timeout_ms: number
  limits: NodeLimits
  fetchFn: (url: string, init: RequestInit) => Promise<Response>
}

export type SendCall = (call: RpcCall) => Promise<unknown>

/** Calls of one tick travel together, up to this many. */
const MAX_BATCH = 100
/** As many as a range of blocks with full answers needs several times over. */
const MAX_BODY_BYTES = 10 * 1024 * 1024
/** Requests under way at a time. */
const MAX_REQUESTS = 16
/** How often a request is sent that the node refuses because it was asked too often. */
const ATTEMPTS_WHEN_LIMITED = 3

const chainCall: RpcCall = { method: 'eth_chainId' }

type Waiting = { call: RpcCall; resolve: (result: unknown) => void; reject: (error: unknown) => void }

/**
 * Sends JSON-RPC calls to one URL. Those of one tick travel in one request, in their order, so that one node answers them
 * while the node takes batches of that size; else in several, each with the next of them. Each has the question for the
 * chain id, because several nodes may answer behind one URL: the chain id of one answer proves nothing about the next.
 * A node that takes no batches is asked for it beside them.
 *
 * The promise rejects with an `RpcError`, or viem's `RpcRequestError` when the node answers the call with an error.
 */
export function callSender(options: SendOptions): SendCall {
  const most = options.limits.batch ?? MAX_BATCH
  const batch = learnedLimit({ first: Math.min(MAX_BATCH, most), most })
  const post = poster(options)
  let waiting: Waiting[] = []

  const exchange = async (calls: readonly RpcCall[]): Promise<Answer[]> => {
    const size = batch.current()
    if (size === 1) return oneByOne(calls)
    if (calls.length >= size) return inParts(calls, size - 1)
    const found = await post([chainCall, ...calls])
    if ('tooMany' in found) {
      const half = Math.ceil(calls.length / 2)
      const answers = calls.length === 1 ? await oneByOne(calls) : await inParts(calls, half)
      // Noted only now: a node that refuses everything says nothing about the size of a batch.
      batch.refused(calls.length + 1)
      return answers
    }
    batch.bore(calls.length + 1)
    const [chain, ...answers] = found.answers
    assertChain(chain, options)
    return answers
  }
  const inParts = async (calls: readonly RpcCall[], size: number): Promise<Answer[]> => {
    const answers: Answer[] = []
    // The size may become smaller on the way.
    for (let from = 0; from < calls.length; from += size)
      answers.push(...(await exchange(calls.slice(from, from + size))))
    return answers
  }
  const oneByOne = async (calls: readonly RpcCall[]): Promise<Answer[]> => {
    const answers = await Promise.all([chainCall, ...calls].map((call) => single(post, call)))
    assertChain(answers[0], options)
    return answers.slice(1)
  }
  const deliver = async (part: readonly Waiting[]): Promise<void> => {
    try {
      const answers = await exchange(part.map(({ call }) => call))
      for (const [index, { call, resolve, reject }] of part.entries()) {
        const answer = answers[index] as Answer
        if ('error' in answer) reject(new RpcRequestError({ body: { ...call }, error: answer.error, url: '' }))
        else settle(call, answer.result, { resolve, reject })
      }
    } catch (error) {
      for (const { reject } of part) reject(error)
    }
  }
  const flush = (): void => {
    const calls = waiting
    waiting = []
    // For a node that takes no batches, calls of one tick share the question for its chain.
    const size = batch.current() === 1 ? MAX_BATCH : batch.current() - 1
    for (let from = 0; from < calls.length; from += size) void deliver(calls.slice(from, from + size))
  }
  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(flush, 0)
      waiting.push({ call, resolve, reject })
    })
}

function settle(call: RpcCall, result: unknown, { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>): void {
  try {
    checkResult(call, result)
    resolve(result)
  } catch (error) {
    reject(error)
  }
}

async function single(post: ReturnType<typeof poster>, call: RpcCall): Promise<Answer> {
  const found = await post([call])
  if ('tooMany' in found) throw new RpcError('refused', found.tooMany)
  return found.answers[0] as Answer
}

/** @throws RpcError */
function assertChain(answer: Answer | undefined, { chainId }: SendOptions): void {
  if (answer === undefined || 'error' in answer)
    throw new RpcError('refused', 'the node does not say which chain it is on')
  checkResult(chainCall, answer.result)
  const found = Number(answer.result)
  if (found !== chainId) throw new RpcError('wrongChain', `the node is on chain ${found}, not ${chainId}`)
}

/** Sends one request, again after a pause when the node was asked too often. */
function poster(options: SendOptions): (calls: readonly RpcCall[]) => Promise<Answers> {
  const throttle = createThrottle(options.limits.perSecond ?? Number.POSITIVE_INFINITY)
  const atATime = pLimit(MAX_REQUESTS)
  const target = targetOf(options.url)
  let id = 0
  const once = async (calls: readonly RpcCall[]): Promise<Answers> => {
    const numbered = calls.map(({ method, params }): NumberedCall => ({ id: ++id, method, params }))
    await throttle.wait(calls.length)
    const { status, body, retryAfter_ms } = await request(options, target, numbered)
    try {
      const found = body === null ? { tooMany: 'the answers are too large' } : readAnswers(numbered, status, body)
      assertNotLimited(found)
      throttle.answered()
      return found
    } catch (error) {
      if (error instanceof RpcError && error.failure === 'limited') throttle.refused(retryAfter_ms)
      throw error
    }
  }
  return async (calls) => {
    let hungUp = 0
    for (let attempt = 1; ; attempt++) {
      try {
        return await atATime(() => once(calls))
      } catch (error) {
        // A connection may end by itself once. Some nodes end it instead of refusing so many calls. A transaction is not sent again here:
        // whether this server may still send it is asked before each time.
        if (calls.length > 1 && !calls.some(isSending) && isHangUp(error)) {
          if (++hungUp > 1) return { tooMany: 'the node hangs up' }
          continue
        }
        const isLimited = error instanceof RpcError && error.failure === 'limited'
        if (!isLimited || attempt === ATTEMPTS_WHEN_LIMITED) throw error
      }
    }
  }
}

/** Some nodes refuse single calls of a batch. @throws RpcError */
function assertNotLimited(found: Answers): void {
  if ('tooMany' in found) return
  for (const answer of found.answers) {
    if (!('error' in answer)) continue
    const { code, message } = answer.error
    if (isLimit(code, message)) throw new RpcError('limited', message, { code })
  }
}

type Target = { url: string; headers: Record<string, string> }

/** `fetch` takes no name and password in a URL. */
function targetOf(text: string): Target {
  const headers = { 'content-type': 'application/json' }
  if (!URL.canParse(text)) return { url: text, headers }
  const url = new URL(text)
  if (url.username === '') return { url: text, headers }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  return {
    url: url.href,
    headers: { ...headers, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  }
}

/** A body is null where it is larger than what is read. */
type Received = { status: number; body: string | null; retryAfter_ms: number | null }

async function request(
  options: SendOptions,
  { url, headers }: Target,
  calls: readonly NumberedCall[],
): Promise<Received> {
  const list = calls.map((call) => ({ jsonrpc: '2.0', ...call }))
  try {
    const response = await options.fetchFn(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(list.length === 1 ? list[0] : list),
      // A redirect would choose another node than the configured one.
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeout_ms),
    })
    const retryAfter_s = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      status: response.status,
      body: await readBody(response),
      retryAfter_ms: Number.isFinite(retryAfter_s) && retryAfter_s >= 0 ? retryAfter_s * 1_000 : null,
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      throw new RpcError('timeout', 'no answer in time', { cause: error })
    }
    throw new RpcError('unreachable', isRedirect(error) ? 'the address leads to another one' : 'no connection', {
      cause: error,
    })
  }
}

const isRedirect = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && /redirect/i.test(error.cause.message)

const isSending = ({ method }: RpcCall): boolean => method === 'eth_sendRawTransaction'

/** The node has taken the connection, and ended it before its answer. */
const isHangUp = (error: unknown): boolean =>
  error instanceof RpcError &&
  error.cause instanceof Error &&
  error.cause.cause instanceof Error &&
  'code' in error.cause.cause &&
  (error.cause.cause.code === 'ECONNRESET' || error.cause.cause.code === 'UND_ERR_SOCKET')

/** Null for more than is read. */
async function readBody(response: Response): Promise<string | null> {
  const { body } = response
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
