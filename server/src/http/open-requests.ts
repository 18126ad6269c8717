import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** The requests of each connection whose answers are not completely sent. */
export class OpenRequests {
  readonly #requests = new WeakMap<Socket, Set<IncomingMessage>>()

  /** @returns how many there are on its connection now */
  add(request: IncomingMessage): number {
    const ofSocket = this.#requests.get(request.socket) ?? new Set()
    this.#requests.set(request.socket, ofSocket.add(request))
    return ofSocket.size
  }

  /** Its response is closed: sent, or given up. */
  remove(request: IncomingMessage): void {
    this.#requests.get(request.socket)?.delete(request)
  }

  /**
   * Whether an error may be answered on a connection whose bytes cannot be read further. Not while an earlier request is
   * unanswered, because the client would take the error for its answer. The one request that may be unanswered is the
   * one whose body was still coming; it is returned.
   */
  answerable(socket: Socket): { may: boolean; request: IncomingMessage | undefined } {
    const openRequests = [...(this.#requests.get(socket) ?? [])]
    const incomplete = openRequests.find(({ complete }) => !complete)
    return { may: openRequests.length === (incomplete === undefined ? 0 : 1), request: incomplete }
  }
}
