import { serverClock } from '@candela/client/server-clock'
import { useEffect, useState } from 'react'

const clock = serverClock(() => Date.now())

/**
 * The server's time in milliseconds since 1970, as far as its answers have told it: for whatever the server compares with its own
 * clock, such as deadlines, ends of quotes and request ids.
 */
export const serverNow = clock.now

/** How far the server's clock is ahead of this device's, in milliseconds; negative when it is behind. 0 where they agree. */
export const serverAhead = clock.ahead

/** So far apart, in milliseconds, people should know of it: what their device shows of times is not what counts. */
const FAR_OFF_MS = 5 * 60_000

let tellFarOff: ((ahead_ms: number) => void) | null = null

/** Tells once, with `serverAhead()`, when the two clocks are found to be more than five minutes apart. */
export const onClockFarOff = (listener: (ahead_ms: number) => void): void => {
  tellFarOff = listener
}

/** As `ServerClock.note`. */
export function noteServerTime(date: string | null, askedAt: number): void {
  clock.note(date, askedAt)
  if (tellFarOff === null || Math.abs(serverAhead()) < FAR_OFF_MS) return
  tellFarOff(serverAhead())
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
