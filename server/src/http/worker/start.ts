import { Worker } from 'node:worker_threads'
import type { Log } from '../../kernel/log.ts'
import { threadFile } from '../../kernel/threads.ts'
import type { Dispatch } from '../../api/dispatch.ts'
import type { Readiness } from '../../api/health.ts'
import type { Metrics } from '../../api/metrics.ts'
import {
  type Answer,
  type Call,
  type Counted,
  type FromWorker,
  type ListenFailure,
  batchedSender,
  type HttpWorkerSettings,
  type ToWorker,
} from './messages.ts'

export type HttpWorker = {
  /** Answers calls from now on; resolves to the port. @throws the error of `listen`, with its code and port */
  listen(parts: HttpWorkerParts): Promise<number>
  /** Rejects when the worker ends without having been told to; never resolves. */
  failed: Promise<never>
  /** Goes on to answer, and asks each client to open no further request on its connection: before `stop`, so that none is closed under a request. */
  drain(): void
  /** Answers what is under way, closes every connection and ends the worker. */
  stop(): Promise<void>
}

export type HttpWorkerParts = {
  dispatch: Dispatch
  readiness: () => Promise<Readiness>
  metrics: Metrics
  log: Log
  /** Told when Redis answers the worker (null), and why when it does not any more. */
  onRedis: (reason: string | null) => void
}

const httpThread = threadFile(import.meta.url, 'http-thread')

/** Starts the HTTP side on a thread of its own. It loads at once, and listens when `listen` is called. */
export function startHttpWorker(settings: HttpWorkerSettings): HttpWorker {
  // The environment holds keys and passwords, so the worker gets none of it.
  const worker = new Worker(httpThread, { workerData: settings, env: {}, name: 'http' })
  let stopping = false
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', (error) => resolve(error))
    worker.once('exit', () => resolve(new Error('the HTTP worker has ended')))
  })
  const failed = ended.then((reason): Promise<never> => {
    return stopping ? new Promise(() => undefined) : Promise.reject(reason)
  })
  // Without a handler an early rejection would end the process; `listen` reports it too.
  failed.catch(() => undefined)
  return {
    failed,
    listen(parts) {
      const listening = listen(worker, parts)
      post(worker, { kind: 'listen' })
      return Promise.race([listening, failed])
    },
    drain: () => post(worker, { kind: 'drain' }),
    async stop() {
      stopping = true
      post(worker, { kind: 'stop' })
      await ended
    },
  }
}

/** Handles the worker's messages from now on. Resolves to its port. */
function listen(worker: Worker, parts: HttpWorkerParts): Promise<number> {
  const { metrics, log, onRedis } = parts
  const port = Promise.withResolvers<number>()
  const figures = new Figures(() => post(worker, { kind: 'figures request' }))
  const answerCall = answering(worker, parts)
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'work') {
      for (const item of message.items) answerCall(item)
    } else if (message.kind === 'listening') {
      for (const { name, help } of message.gauges) metrics.addGauge({ name, help, read: () => figures.read(name) })
      port.resolve(message.port)
    } else if (message.kind === 'listen failed') {
      port.reject(listenError(message.failure))
    } else if (message.kind === 'figures') {
      figures.receive(message.figures)
    } else if (message.kind === 'redis') {
      onRedis(message.reason)
    } else if (message.kind === 'readiness request') {
      void parts.readiness().then((readiness) => post(worker, { kind: 'readiness', readiness }))
    } else {
      const { callId, error, path } = message
      log.error({ event: 'http.request-failed', callId, err: error, path }, 'request failed outside of a call')
    }
  })
  return port.promise
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- between threads there are no origins
const post = (worker: Worker, message: ToWorker): void => worker.postMessage(message)

function answering(worker: Worker, { dispatch, metrics }: HttpWorkerParts): (item: Call | Counted) => void {
  const answer = batchedSender<Answer>((answers) => post(worker, { kind: 'answers', answers }))
  return (item) => {
    if (item === 'refused envelope') return metrics.badEnvelope()
    if (item === 'unchecked envelope') return metrics.uncheckedEnvelope()
    if (item === 'unshared limit') return metrics.unsharedLimit()
    const { id, key, input, caller } = item
    void dispatch(key, input, caller).then((body) => answer({ id, text: JSON.stringify(body) }))
  }
}

function listenError({ message, code, port }: ListenFailure): Error {
  return Object.assign(new Error(message), { code, port })
}

/** Figures of the worker; one request serves all that are read together. */
class Figures {
  readonly #request: () => void
  #pending: PromiseWithResolvers<Record<string, number>> | undefined

  constructor(request: () => void) {
    this.#request = request
  }

  async read(name: string): Promise<number> {
    if (this.#pending === undefined) {
      this.#pending = Promise.withResolvers()
      this.#request()
    }
    return (await this.#pending.promise)[name] ?? Number.NaN
  }

  receive(figures: Record<string, number>): void {
    this.#pending?.resolve(figures)
    this.#pending = undefined
  }
}
