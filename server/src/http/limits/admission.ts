import type { ServerResponse } from 'node:http'

/**
 * How many requests may be worked on at once. More than keep database and processor busy would only wait, and those who
 * wait too long are gone when their answer comes.
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

  /** A client that hangs up leaves by itself. */
  enter(response: ServerResponse): void {
    if (response.destroyed) return
    this.#underWay.add(response)
    response.once('close', () => this.leave(response))
  }

  leave(response: ServerResponse): void {
    this.#underWay.delete(response)
  }
}
