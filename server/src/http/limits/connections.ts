import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientLimits } from './client-limits.ts'

/** Rounds that a client may still keep us waiting when the server is closing. */
const ROUNDS_AT_CLOSE = 2

type Line = {
  /** Requests of which the answer is not through yet. */
  unanswered: number
  /** Those among them that we are working on. */
  ours: number
}

/**
 * All connections, and since when each one keeps us waiting: for a head, a body, the next request, or until an answer
 * is taken. There is room for a certain number; when it is used up, whoever has kept us waiting for longest is cut off,
 * so that many who do nothing never stand in the way of one who does something.
 */
export class Connections {
  readonly #limits: ClientLimits
  readonly #lines = new Map<Socket, Line>()
  /** Longest first, each with the round in which the wait began. */
  readonly #waiting = new Map<Socket, number>()
  readonly #arriving = new Map<Socket, IncomingMessage>()
  #cutOff = 0
  #round = 0
  #mostRounds: number

  constructor(limits: ClientLimits) {
    this.#limits = limits
    this.#mostRounds = Math.ceil(limits.wait_ms / limits.check_ms)
  }

  /** Now open, now sending a body, and ended by us so far because they kept us waiting. */
  get figures(): { open: number; arriving: number; cutOff: number } {
    return { open: this.#lines.size, arriving: this.#arriving.size, cutOff: this.#cutOff }
  }

  opened(socket: Socket): void {
    this.#lines.set(socket, { unanswered: 0, ours: 0 })
    this.#wait(socket)
    if (this.#waiting.size > this.#limits.mostWaiting) this.#cutOffFirst(this.#waiting)
    socket.once('close', () => {
      this.#lines.delete(socket)
      this.#waiting.delete(socket)
      this.#arriving.delete(socket)
    })
  }

  /** The head of a request is there. */
  asked(socket: Socket): void {
    const line = this.#lines.get(socket)
    if (line !== undefined) line.unanswered += 1
  }

  /** Its body is on its way. */
  arriving(request: IncomingMessage): void {
    if (!this.#lines.has(request.socket)) return
    this.#arriving.set(request.socket, request)
    if (this.#arriving.size > this.#limits.mostArriving) this.#cutOffFirst(this.#arriving)
  }

  /** It is complete: now the client waits for us. */
  working(socket: Socket): void {
    const line = this.#lines.get(socket)
    if (line === undefined) return
    this.#arriving.delete(socket)
    line.ours += 1
    this.#waiting.delete(socket)
  }

  /** We are done with it, and wait again. */
  worked(socket: Socket): void {
    const line = this.#lines.get(socket)
    if (line === undefined) return
    line.ours -= 1
    if (line.ours === 0) this.#wait(socket)
  }

  /** It was answered, or given up. */
  ended(request: IncomingMessage): void {
    const { socket } = request
    const line = this.#lines.get(socket)
    if (line === undefined) return
    line.unanswered -= 1
    if (this.#arriving.get(socket) === request) this.#arriving.delete(socket)
    if (line.ours === 0) this.#wait(socket)
  }

  /**
   * What may be said on a connection whose bytes cannot be read further: nothing while an earlier request is under way,
   * for which it would be taken as the answer. Otherwise the request whose body was coming, if there is one.
   */
  sayable(socket: Socket): { may: boolean; request: IncomingMessage | undefined } {
    const line = this.#lines.get(socket)
    if (line === undefined) return { may: false, request: undefined }
    const last = this.#arriving.get(socket)
    // What is bad may have come in the same piece as the end of its body.
    const request = last?.complete === true ? undefined : last
    return { may: line.unanswered === (request === undefined ? 0 : 1), request }
  }

  /** Called every `check_ms`: ends what has kept us waiting for too long. */
  look(): void {
    this.#round += 1
    for (const [socket, since] of this.#waiting) {
      if (this.#round - since <= this.#mostRounds) break
      this.#cutOff += 1
      socket.destroy()
    }
  }

  /** The server is closing: whoever does nothing is not waited for. */
  hurry(): void {
    this.#mostRounds = ROUNDS_AT_CLOSE
  }

  #wait(socket: Socket): void {
    this.#waiting.delete(socket)
    if (!socket.destroyed) this.#waiting.set(socket, this.#round)
  }

  #cutOffFirst(sockets: Map<Socket, unknown>): void {
    const first = sockets.keys().next().value
    if (first === undefined) return
    // Its `close` comes a moment later, and until then the next one too many would find it again.
    sockets.delete(first)
    this.#cutOff += 1
    first.destroy()
  }
}
