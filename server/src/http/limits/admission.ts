/**
 * How many requests may be under way. More than keep database and processor busy only wait, and those who wait too long
 * have gone when their answer comes.
 */
export const MOST_AT_ONCE = 128

/** Seconds after which a refused client may try again. */
export const RETRY_AFTER_S = 2

/**
 * Counts what we are working on: from when a request is complete until its answer begins. Who only sends slowly, or
 * takes an answer slowly, costs no work and takes nobody's place.
 */
export class Admission {
  #underWay = 0

  get underWay(): number {
    return this.#underWay
  }

  /** Nobody else is let in: an overloaded server still answers as many as it can, and the others at once. */
  get isFull(): boolean {
    return this.#underWay >= MOST_AT_ONCE
  }

  /** More are in than should be, because bodies arrived late of requests that were let in while there was room. */
  get isOver(): boolean {
    return this.#underWay > MOST_AT_ONCE
  }

  enter(): void {
    this.#underWay += 1
  }

  leave(): void {
    this.#underWay -= 1
  }
}
