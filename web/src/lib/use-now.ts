import { useEffect, useState } from 'react'

/** The time of the device in milliseconds, once a second while on screen. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Whole seconds since an instant of this device's clock, so that what was answered earlier grows old on screen. */
export const useSecondsSince = (at_ms: number): number => Math.max(0, Math.floor((useNow() - at_ms) / 1_000))
