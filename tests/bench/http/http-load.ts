/** Sends HTTP requests and reads answers with little work of its own, because it shares the machine with the server. */
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
export class Connection {
  readonly #port: number
  readonly #localAddress: string
  #socket: Socket | undefined
  #text = ''
  #done: ((answer: Answer) => void) | undefined

  constructor(port: number, localAddress = '127.0.0.1') {
    this.#port = port
    this.#localAddress = localAddress
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
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress: this.#localAddress })
      .setNoDelay(true)
      .setEncoding('latin1')
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

const LENGTH = /content-length: (\d+)/i

function lengthOf(text: string, end: number): number {
  return Number(LENGTH.exec(text.slice(0, end))?.[1] ?? 0)
}

/** From many addresses of this machine (Linux only), because a proxy limits the connections of one. */
export function connectionsFromMany(port: number, count: number): Connection[] {
  return Array.from({ length: count }, (_none, nth) => new Connection(port, localAddress(nth)))
}

export const localAddress = (nth: number): string => `127.0.0.${2 + (nth % 40)}`

export const connections = (port: number, count: number): Connection[] =>
  Array.from({ length: count }, () => new Connection(port))

const ofNothing = (): Outcome => ({ answered: 0, good: 0, refused: 0, took_s: 0, latencies_ms: [] })

function note(outcome: Outcome, status: number, took_ms: number, patience_ms: number): void {
  outcome.answered += 1
  if (status === 200 && took_ms <= patience_ms) outcome.good += 1
  if (status !== 200) outcome.refused += 1
  else outcome.latencies_ms.push(took_ms)
}

/** Each connection sends its next request when the last is answered, until all were sent: what the server can do. */
export async function saturate(all: readonly Connection[], requests: readonly Buffer[]): Promise<Outcome> {
  const outcome = ofNothing()
  const finished = Promise.withResolvers<void>()
  const started = performance.now()
  let next = 0
  const sendOn = (connection: Connection): void => {
    const request = requests[next]
    if (request === undefined) return
    next += 1
    const sent = performance.now()
    connection.send(request, ({ status }) => {
      note(outcome, status, performance.now() - sent, Number.POSITIVE_INFINITY)
      if (outcome.answered === requests.length) finished.resolve()
      else sendOn(connection)
    })
  }
  for (const connection of all) sendOn(connection)
  await finished.promise
  return { ...outcome, took_s: (performance.now() - started) / 1000 }
}

/**
 * Sends so many a second whether or not the server keeps up, as people do. An answer counts as good when it comes within
 * `patience_ms` of when it was due; a request that has to wait for a free connection is counted from when it was due.
 */
export async function sendAtRate(
  all: readonly Connection[],
  requests: readonly Buffer[],
  { perSecond, patience_ms }: { perSecond: number; patience_ms: number },
): Promise<Outcome> {
  const outcome = ofNothing()
  const free = [...all]
  const waiting: Job[] = []
  let served = 0
  const finished = Promise.withResolvers<void>()
  const send = (connection: Connection, { request, due }: Job): void =>
    connection.send(request, ({ status }) => {
      note(outcome, status, performance.now() - due, patience_ms)
      const next = waiting[served]
      if (next === undefined) free.push(connection)
      else {
        served += 1
        send(connection, next)
      }
      if (outcome.answered === requests.length) finished.resolve()
    })
  const started = performance.now()
  let next = 0
  while (next < requests.length) {
    const dueByNow = Math.min(requests.length, Math.floor(((performance.now() - started) / 1000) * perSecond))
    for (const request of requests.slice(next, dueByNow)) {
      const job = { request, due: performance.now() }
      const connection = free.pop()
      if (connection === undefined) waiting.push(job)
      else send(connection, job)
    }
    next = dueByNow
    await sleep(1)
  }
  const took_s = (performance.now() - started) / 1000
  await finished.promise
  return { ...outcome, took_s }
}

type Job = { request: Buffer; due: number }
