import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

/** Height of the head that a pull opens, in pixels, and how far the finger has to go for it. */
const HEAD = 50
const PULL = 110

/** Pulling down from the very top asks again. The keyboard and the mouse have no need of it: lists stay current anyway. */
export function PullToRefresh({ refresh, children }: { refresh: () => Promise<unknown>; children: ReactNode }) {
  const [height, setHeight] = useState(0)
  const [busy, setBusy] = useState(false)
  const again = useRef(refresh)
  useEffect(() => {
    again.current = refresh
  })

  useEffect(() => {
    let startY: number | null = null
    let open = 0
    const close = () => {
      open = 0
      setHeight(0)
    }
    // The system has taken the finger, or there is another one beside it: nobody has let go of a pull.
    const cancel = () => {
      startY = null
      close()
    }
    const start = (event: TouchEvent) => {
      const inSheet = event.target instanceof Element && event.target.closest('dialog') !== null
      startY = window.scrollY <= 0 && event.touches.length === 1 && !inSheet ? event.touches[0]!.clientY : null
      close()
    }
    const move = (event: TouchEvent) => {
      if (startY === null) return
      const pulled = event.touches[0]!.clientY - startY
      open = Math.max(0, Math.min(1, pulled / PULL)) * HEAD
      setHeight(open)
    }
    const end = async () => {
      const wanted = open >= HEAD
      cancel()
      if (!wanted) return
      setBusy(true)
      await again.current().catch(() => undefined)
      setBusy(false)
    }
    const finish = () => void end()
    window.addEventListener('touchstart', start, { passive: true })
    window.addEventListener('touchmove', move, { passive: true })
    window.addEventListener('touchend', finish)
    window.addEventListener('touchcancel', cancel)
    return () => {
      window.removeEventListener('touchstart', start)
      window.removeEventListener('touchmove', move)
      window.removeEventListener('touchend', finish)
      window.removeEventListener('touchcancel', cancel)
    }
  }, [])

  return (
    <div>
      <div
        className="pull-head"
        style={{ height: busy ? HEAD : height, opacity: busy ? 1 : height / HEAD }}
        aria-hidden="true"
      >
        <span className="spinner" data-still={!busy || undefined} />
      </div>
      {children}
    </div>
  )
}
