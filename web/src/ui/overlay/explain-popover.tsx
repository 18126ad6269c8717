import { useEffect, useId, useRef } from 'react'
import type { Explanation } from './explain-store.ts'
import { registerOverlay } from './overlays.ts'
import { popoverPlace } from './popover-place.ts'
import './explain-popover.css'

type Props = { explanation: Explanation; anchor: HTMLElement; onClose: () => void }

/** A short explanation on a wide screen, beside what was tapped. The browser closes it with Escape and with a tap elsewhere. */
export function ExplainPopover({ explanation, anchor, onClose }: Props) {
  const titleId = useId()
  const box = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    element.showPopover()
    const { width, height } = element.getBoundingClientRect()
    const screen = { width: window.innerWidth, height: window.innerHeight }
    const { left, top } = popoverPlace(anchor.getBoundingClientRect(), { width, height }, screen)
    element.style.left = `${left}px`
    element.style.top = `${top}px`
    const end = () => close.current()
    const toggled = (event: Event) => (event as ToggleEvent).newState === 'closed' && end()
    element.addEventListener('toggle', toggled)
    window.addEventListener('scroll', end, { passive: true })
    window.addEventListener('resize', end)
    const forget = registerOverlay(end)
    return () => {
      forget()
      element.removeEventListener('toggle', toggled)
      window.removeEventListener('scroll', end)
      window.removeEventListener('resize', end)
      if (element.matches(':popover-open')) element.hidePopover()
    }
  }, [anchor])
  return (
    <dialog ref={box} popover="auto" className="explain-popover" aria-labelledby={titleId}>
      <h2 id={titleId}>{explanation.title}</h2>
      <p>{explanation.text}</p>
    </dialog>
  )
}
