import { useEffect, useState } from 'react'

/** The header tells whole seconds. */
const HEADER_STEP_MS = 1_000

/** How far the server's clock is ahead of this device's, in milliseconds; 0 until an answer has told. */
let ahead_ms = 0

/**
 * The server's time in milliseconds since 1970, as far as its answers have told it: for whatever the server compares with its own
 * clock, such as deadlines, ends of quotes and request ids. A device's clock may be wrong by days.
 */
export const serverNow = (): number => Date.now() + ahead_ms

/** How far the server's clock is ahead of this device's, in milliseconds; negative when it is behind. 0 where they agree. */
export const serverAhead = (): number => ahead_ms

/** So far apart, in milliseconds, people should know of it: what their device shows of times is not what counts. */
const FAR_OFF_MS = 5 * 60_000

let tellFarOff: ((ahead_ms: number) => void) | null = null

/** Tells once, with `serverAhead()`, when the two clocks are found to be more than five minutes apart. */
export const onClockFarOff = (listener: (ahead_ms: number) => void): void => {
  tellFarOff = listener
}

/**
 * Takes the time from an answer's `Date` header. Nothing is corrected where the two clocks may agree: the header is exact to a
 * second, and it is unknown when on its way the answer was dated.
 * @param askedAt when the request was sent, in milliseconds by this device's clock; the answer came now
 */
export function noteServerTime(date: string | null, askedAt: number): void {
  const dated = Date.parse(date ?? '')
  if (Number.isNaN(dated)) return
  const [least, most] = [dated - Date.now(), dated + HEADER_STEP_MS - askedAt]
  if (least > most) return
  ahead_ms = least <= 0 && most >= 0 ? 0 : (least + most) / 2
  if (tellFarOff === null || Math.abs(ahead_ms) < FAR_OFF_MS) return
  tellFarOff(ahead_ms)
  tellFarOff = null
}

/** `serverNow()`, once a second while on screen. */
export function useServerNow(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
