/** The header tells whole seconds. */
const HEADER_STEP_MS = 1_000

/** The server's time as its answers tell it. A device's own clock may be wrong by days. */
export type ServerClock = {
  /** The server's time in milliseconds since 1970; this device's own until an answer has told it. */
  now: () => number
  /** How far the server's clock is ahead of this device's, in milliseconds; negative when it is behind. 0 where the two agree. */
  ahead: () => number
  /**
   * Takes the time from an answer's `Date` header. Nothing is corrected where the two clocks may agree: the header is exact to a
   * second, and it is unknown when on its way the answer was dated.
   * @param askedAt when the request was sent, in milliseconds by this device's clock; the answer came now
   */
  note: (date: string | null, askedAt: number) => void
}

/** @param own this device's time in milliseconds since 1970 */
export function serverClock(own: () => number): ServerClock {
  let ahead_ms = 0
  return {
    now: () => own() + ahead_ms,
    ahead: () => ahead_ms,
    note(date, askedAt) {
      const dated = Date.parse(date ?? '')
      if (Number.isNaN(dated)) return
      const [least, most] = [dated - own(), dated + HEADER_STEP_MS - askedAt]
      if (least <= most) ahead_ms = least <= 0 && most >= 0 ? 0 : (least + most) / 2
    },
  }
}
