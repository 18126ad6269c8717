import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/**
 * How many requests may be under way. More than keep database and processor busy only wait, and those who wait too long
 * have gone when their answer comes.
 */
export const MOST_AT_ONCE = 128

/** Seconds after which a refused client may try again. */
export const RETRY_AFTER_S = 2

/**
 * Refuses, before anything is read or parsed, what comes while too much is under way: an overloaded server then still
 * answers as many as it can, and the others at once. Health is always answered: overloaded is not dead.
 */
export function admit(listener: RequestListener, refuse: (request: IncomingMessage) => string): RequestListener {
  let underWay = 0
  return (request, response) => {
    if (underWay >= MOST_AT_ONCE && request.url !== '/healthz') return answerBusy(response, refuse(request))
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
    listener(request, response)
  }
}

function answerBusy(response: ServerResponse, body: string): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': String(RETRY_AFTER_S),
  }
  response.writeHead(503, headers).end(body)
}
