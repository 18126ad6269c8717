import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The requests of each connection whose answer is not through yet. */
export class UnansweredRequests {
  readonly #requests = new WeakMap<Socket, Set<IncomingMessage>>()

  /** Kept until the response is closed: sent, or given up. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const ofSocket = this.#requests.get(socket) ?? new Set()
    this.#requests.set(socket, ofSocket.add(request))
    response.once('close', () => ofSocket.delete(request))
  }

  /**
   * Whether an error may be answered on a connection whose bytes cannot be read further. Not while an earlier request is
   * unanswered, because the client would take the error for its answer. The one request that may be unanswered is the
   * one whose body was still coming; it is returned.
   */
  answerable(socket: Socket): { may: boolean; request: IncomingMessage | undefined } {
    const unanswered = [...(this.#requests.get(socket) ?? [])]
    const incomplete = unanswered.find(({ complete }) => !complete)
    return { may: unanswered.length === (incomplete === undefined ? 0 : 1), request: incomplete }
  }
}
