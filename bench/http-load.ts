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
  #waiting: PromiseWithResolvers<Answer> | undefined

  constructor(port: number) {
    this.#port = port
  }

  ask(request: Buffer): Promise<Answer> {
    this.#waiting = Promise.withResolvers<Answer>()
    this.#socket ??= this.#open()
    this.#socket.write(request)
    return this.#waiting.promise
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
    this.#text += text
    const end = this.#text.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/content-length: (\d+)/i.exec(this.#text.slice(0, end))?.[1] ?? '0')
    if (this.#text.length < end + 4 + length) return
    const answer = { status: Number(this.#text.slice(9, 12)), body: this.#text.slice(end + 4, end + 4 + length) }
    this.#text = ''
    this.#answer(answer)
  }

  #answer(answer: Answer): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve(answer)
  }
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
  const started = performance.now()
  let next = 0
  await Promise.all(
    all.map(async (line) => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        const sent = performance.now()
        const { status } = await line.ask(request)
        note(outcome, status, performance.now() - sent, Number.POSITIVE_INFINITY)
      }
    }),
  )
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
  const queue: Job[] = []
  const answers: Promise<void>[] = []
  const send = async (line: Line, job: Job): Promise<void> => {
    for (let next: Job | undefined = job; next !== undefined; next = queue.shift()) {
      const { status } = await line.ask(next.request)
      note(outcome, status, performance.now() - next.due, patience_ms)
    }
    free.push(line)
  }
  const started = performance.now()
  let next = 0
  while (next < requests.length) {
    const dueByNow = Math.min(requests.length, Math.floor(((performance.now() - started) / 1000) * perSecond))
    for (const request of requests.slice(next, dueByNow)) {
      const job = { request, due: performance.now() }
      const line = free.pop()
      if (line === undefined) queue.push(job)
      else answers.push(send(line, job))
    }
    next = dueByNow
    await sleep(1)
  }
  const took_s = (performance.now() - started) / 1000
  await Promise.all(answers)
  return { ...outcome, took_s }
}

type Job = { request: Buffer; due: number }

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
