import type { ServerResponse } from 'node:http'

/**
 * How many requests may be worked on at once. More than keep database and processor busy would only wait, and a client
 * that waits too long is gone when its answer comes.
 */
export const MAX_UNDER_WAY = 128

/** Seconds after which a refused client may try again. */
export const RETRY_AFTER_S = 2

/**
 * Counts the requests that are worked on: from when a request is complete until its answer begins. A client that only
 * sends slowly, or takes its answer slowly, costs no work and does not count.
 */
export class Admission {
  readonly #underWay = new Set<ServerResponse>()

  get underWay(): number {
    return this.#underWay.size
  }

  /** Further requests are refused, so that an overloaded server still answers as many as it can. */
  get isFull(): boolean {
    return this.#underWay.size >= MAX_UNDER_WAY
  }

  enter(response: ServerResponse): void {
    if (!response.destroyed) this.#underWay.add(response)
  }

  /** To be called when the answer begins, and when the client has hung up. */
  leave(response: ServerResponse): void {
    this.#underWay.delete(response)
  }
}
