import { Worker } from 'node:worker_threads'
import type { Log } from '../../kernel/log.ts'
import type { Dispatch } from '../dispatch.ts'
import type { Readiness } from '../health.ts'
import type { Metrics } from '../metrics.ts'
import {
  type Answer,
  type Call,
  type FromThread,
  type ListenFailure,
  outbox,
  type ThreadSettings,
  type ToThread,
} from './messages.ts'

export type HttpThread = {
  /** Answers calls from now on; resolves to the port. @throws the error of `listen`, with its code and port */
  listen(parts: HttpThreadParts): Promise<number>
  /** Rejects when the thread ends without having been told to; never resolves. */
  failed: Promise<never>
  /** Answers what is under way, closes every connection and ends the thread. */
  stop(): Promise<void>
}

export type HttpThreadParts = {
  dispatch: Dispatch
  readiness: () => Promise<Readiness>
  metrics: Metrics
  log: Log
}

/** Starts the HTTP side on a thread of its own. It loads by itself, and listens when it is told to. */
export function startHttpThread(settings: ThreadSettings): HttpThread {
  // What it does not get, it cannot tell: the environment holds keys and passwords.
  const thread = new Worker(new URL('main.ts', import.meta.url), { workerData: settings, env: {}, name: 'http' })
  let stopping = false
  const ended = new Promise<Error>((resolve) => {
    thread.once('error', (error) => resolve(error))
    thread.once('exit', () => resolve(new Error('the HTTP thread has ended')))
  })
  const failed = ended.then((reason): Promise<never> => {
    return stopping ? new Promise(() => undefined) : Promise.reject(reason)
  })
  // Whoever listens to it hears of it; before that, `listen` tells.
  failed.catch(() => undefined)
  return {
    failed,
    listen(parts) {
      const listening = listen(thread, parts)
      post(thread, { kind: 'listen' })
      return Promise.race([listening, failed])
    },
    async stop() {
      stopping = true
      post(thread, { kind: 'stop' })
      await ended
    },
  }
}

/** Hears the thread from now on. */
function listen(thread: Worker, parts: HttpThreadParts): Promise<number> {
  const { metrics, log } = parts
  const port = Promise.withResolvers<number>()
  const figures = new Figures(() => post(thread, { kind: 'figures wanted' }))
  const answerCall = answering(thread, parts)
  thread.on('message', (message: FromThread) => {
    if (message.kind === 'work') {
      for (const item of message.items) answerCall(item)
    } else if (message.kind === 'listening') {
      for (const { name, help } of message.gauges) metrics.addGauge({ name, help, read: () => figures.read(name) })
      port.resolve(message.port)
    } else if (message.kind === 'not listening') {
      port.reject(listenError(message.failure))
    } else if (message.kind === 'figures') {
      figures.arrived(message.figures)
    } else if (message.kind === 'readiness wanted') {
      void parts.readiness().then((readiness) => post(thread, { kind: 'readiness', readiness }))
    } else {
      const { callId, error, path } = message
      log.error({ event: 'http.request-failed', callId, err: error, path }, 'request failed outside of a call')
    }
  })
  return port.promise
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- between threads there are no origins
const post = (thread: Worker, message: ToThread): void => thread.postMessage(message)

function answering(thread: Worker, { dispatch, metrics }: HttpThreadParts): (item: Call | 'refused envelope') => void {
  const answer = outbox<Answer>((answers) => post(thread, { kind: 'answers', answers }))
  return (item) => {
    if (item === 'refused envelope') return metrics.badEnvelope()
    const { id, key, input, caller } = item
    void dispatch(key, input, caller).then((body) => answer({ id, text: JSON.stringify(body) }))
  }
}

function listenError({ message, code, port }: ListenFailure): Error {
  return Object.assign(new Error(message), { code, port })
}

/** Figures that the thread has: asked for once for all that are read together. */
class Figures {
  readonly #want: () => void
  #coming: PromiseWithResolvers<Record<string, number>> | undefined

  constructor(want: () => void) {
    this.#want = want
  }

  async read(name: string): Promise<number> {
    if (this.#coming === undefined) {
      this.#coming = Promise.withResolvers()
      this.#want()
    }
    return (await this.#coming.promise)[name] ?? Number.NaN
  }

  arrived(figures: Record<string, number>): void {
    this.#coming?.resolve(figures)
    this.#coming = undefined
  }
}
