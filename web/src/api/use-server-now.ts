import { useEffect, useState } from 'react'
import { serverNow } from './server-time.ts'

/** The server's time in milliseconds, once a second while on screen. */
export function useServerNow(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
