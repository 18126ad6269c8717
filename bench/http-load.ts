/** Puts HTTP requests on sockets and reads answers, as cheaply as it can: the rest of the machine is for the server. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Answer = { status: number; body: string }
export type Outcome = { answered: number; good: number; refused: number; took_s: number; latencies_ms: number[] }

/** A whole request as bytes. */
export function postForm(path: string, form: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
      `Content-Length: ${Buffer.byteLength(form)}\r\n\r\n${form}`,
  )
}

export const get = (path: string, headers: Record<string, string> = {}): Buffer =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: bench\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )

/** One kept-alive connection with one request on its way at a time. It connects anew when the server hangs up. */
export class Line {
  readonly #port: number
  #socket: Socket | undefined
  #text = ''
  #done: ((answer: Answer) => void) | undefined

  constructor(port: number) {
    this.#port = port
  }

  ask(request: Buffer): Promise<Answer> {
    return new Promise((resolve) => this.send(request, resolve))
  }

  /** Without a promise for each, which would cost as much as the sending. */
  send(request: Buffer, done: (answer: Answer) => void): void {
    this.#done = done
    this.#socket ??= this.#open()
    this.#socket.write(request)
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    socket.on('data', (text: string) => this.#read(text))
    // The close that follows says the same.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#socket = undefined
      this.#text = ''
      this.#answer({ status: 0, body: '' })
    })
    return socket
  }

  #read(text: string): void {
    const all = this.#text === '' ? text : this.#text + text
    const end = all.indexOf('\r\n\r\n')
    const length = end < 0 ? 0 : lengthOf(all, end)
    if (end < 0 || all.length < end + 4 + length) {
      this.#text = all
      return
    }
    this.#text = ''
    this.#answer({ status: Number(all.slice(9, 12)), body: all.slice(end + 4, end + 4 + length) })
  }

  #answer(answer: Answer): void {
    const done = this.#done
    this.#done = undefined
    done?.(answer)
  }
}

const LENGTH = 'content-length: '

/** Both servers write it in lower case. */
function lengthOf(text: string, end: number): number {
  const at = text.indexOf(LENGTH)
  return at < 0 || at > end ? 0 : Number.parseInt(text.slice(at + LENGTH.length, at + LENGTH.length + 8), 10)
}

export const lines = (port: number, count: number): Line[] => Array.from({ length: count }, () => new Line(port))

const ofNothing = (): Outcome => ({ answered: 0, good: 0, refused: 0, took_s: 0, latencies_ms: [] })

function note(outcome: Outcome, status: number, took_ms: number, patience_ms: number): void {
  outcome.answered += 1
  if (status === 200 && took_ms <= patience_ms) outcome.good += 1
  if (status !== 200) outcome.refused += 1
  else outcome.latencies_ms.push(took_ms)
}

/** Each line sends its next request when the last is answered, until all were sent: what the server can do. */
export async function saturate(all: readonly Line[], requests: readonly Buffer[]): Promise<Outcome> {
  const outcome = ofNothing()
  const finished = Promise.withResolvers<void>()
  const started = performance.now()
  let next = 0
  const sendOn = (line: Line): void => {
    const request = requests[next]
    if (request === undefined) return
    next += 1
    const sent = performance.now()
    line.send(request, ({ status }) => {
      note(outcome, status, performance.now() - sent, Number.POSITIVE_INFINITY)
      if (outcome.answered === requests.length) finished.resolve()
      else sendOn(line)
    })
  }
  for (const line of all) sendOn(line)
  await finished.promise
  return { ...outcome, took_s: (performance.now() - started) / 1000 }
}

/**
 * Sends so many a second whether or not the server keeps up, as people do. An answer counts as good when it comes within
 * `patience_ms` of when it was due; one that finds no free line waits for one, and that counts, too.
 */
export async function pour(
  all: readonly Line[],
  requests: readonly Buffer[],
  { perSecond, patience_ms }: { perSecond: number; patience_ms: number },
): Promise<Outcome> {
  const outcome = ofNothing()
  const free = [...all]
  const waiting: Job[] = []
  let served = 0
  const finished = Promise.withResolvers<void>()
  const send = (line: Line, { request, due }: Job): void =>
    line.send(request, ({ status }) => {
      note(outcome, status, performance.now() - due, patience_ms)
      const next = waiting[served]
      if (next === undefined) free.push(line)
      else {
        served += 1
        send(line, next)
      }
      if (outcome.answered === requests.length) finished.resolve()
    })
  const started = performance.now()
  let next = 0
  while (next < requests.length) {
    const dueByNow = Math.min(requests.length, Math.floor(((performance.now() - started) / 1000) * perSecond))
    for (const request of requests.slice(next, dueByNow)) {
      const job = { request, due: performance.now() }
      const line = free.pop()
      if (line === undefined) waiting.push(job)
      else send(line, job)
    }
    next = dueByNow
    await sleep(1)
  }
  const took_s = (performance.now() - started) / 1000
  await finished.promise
  return { ...outcome, took_s }
}

type Job = { request: Buffer; due: number }
